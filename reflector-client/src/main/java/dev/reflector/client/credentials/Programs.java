package dev.reflector.client.credentials;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Finds programs by their names, only in the absolute folders of the {@code PATH}. Empty
 * and relative entries are ignored, because they stand for the working directory or a
 * folder in it, where others may be able to put a program. Windows itself even searches
 * the working directory first.
 */
final class Programs {

	private static final boolean WINDOWS = File.separatorChar == '\\';

	/** The extensions that Windows uses when {@code PATHEXT} is not set. */
	private static final String EXTENSIONS = ".COM;.EXE;.BAT;.CMD";

	private final List<Path> folders;

	private final List<String> extensions;

	/**
	 * Creates a finder of programs in certain folders.
	 * @param path the folders, in the form of the variable {@code PATH}, or {@code null}
	 * for none
	 * @param extensions file extensions that a command may omit, in the form of the
	 * variable {@code PATHEXT} of Windows; empty for none
	 */
	Programs(@Nullable String path, String extensions) {
		this.folders = split((path != null) ? path : "", File.pathSeparator).flatMap(Programs::folder).toList();
		this.extensions = split(extensions, ";").toList();
	}

	/**
	 * Creates a finder with the environment of this process.
	 * @param environment returns the value of an environment variable
	 * @return the finder
	 */
	static Programs of(Function<String, @Nullable String> environment) {
		String extensions = environment.apply("PATHEXT");
		return new Programs(environment.apply("PATH"),
				!WINDOWS ? "" : (extensions != null && !extensions.isBlank()) ? extensions : EXTENSIONS);
	}

	/**
	 * Whether a command is the name of a program, and not a path.
	 * @param command the command
	 * @return {@code true} if the command is a name
	 */
	static boolean isName(String command) {
		return command.indexOf('/') < 0 && command.indexOf(File.separatorChar) < 0;
	}

	private static Stream<String> split(String text, String separator) {
		return Pattern.compile(separator, Pattern.LITERAL).splitAsStream(text).filter((entry) -> !entry.isEmpty());
	}

	private static Stream<Path> folder(String entry) {
		try {
			Path folder = Path.of(WINDOWS ? entry.replace("\"", "") : entry);
			return folder.isAbsolute() ? Stream.of(folder) : Stream.empty();
		}
		catch (InvalidPathException ex) {
			return Stream.empty();
		}
	}

	/**
	 * Finds a program.
	 * @param command the name or absolute path of the program
	 * @return the absolute path of the program, or {@code null} if there is no such
	 * executable program
	 */
	@Nullable Path find(String command) {
		try {
			return candidates(command).filter(Path::isAbsolute)
				.filter((file) -> Files.isRegularFile(file) && Files.isExecutable(file))
				.findFirst()
				.orElse(null);
		}
		catch (InvalidPathException ex) {
			return null;
		}
	}

	private Stream<Path> candidates(String command) {
		List<String> names = new ArrayList<>();
		if (this.extensions.isEmpty() || command.lastIndexOf('.') > command.lastIndexOf(File.separatorChar)) {
			names.add(command);
		}
		this.extensions.forEach((extension) -> names.add(command + extension));
		return isName(command) ? this.folders.stream().flatMap((folder) -> names.stream().map(folder::resolve))
				: names.stream().map(Path::of);
	}

}
