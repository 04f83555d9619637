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
 * Finds programs by their names in the absolute folders of the {@code PATH}, and nowhere
 * else: an empty or relative entry would mean the working directory, where others may be
 * able to put a program. Windows even looks there first.
 */
final class Programs {

	private static final boolean WINDOWS = File.separatorChar == '\\';

	/** The extensions that Windows uses when {@code PATHEXT} is not set. */
	private static final String EXTENSIONS = ".COM;.EXE;.BAT;.CMD";

	private final List<Path> folders;

	private final List<String> extensions;

	/**
	 * Finds programs in certain folders.
	 * @param path folders as in the variable {@code PATH}, or {@code null} for none
	 * @param extensions endings that a name may leave out, as in the variable
	 * {@code PATHEXT} of Windows, or empty
	 */
	Programs(@Nullable String path, String extensions) {
		this.folders = split((path != null) ? path : "", File.pathSeparator).flatMap(Programs::folder).toList();
		this.extensions = split(extensions, ";").toList();
	}

	/**
	 * Creates the finder for the environment of a process.
	 * @param environment returns environment variables of the process
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
	 * @return whether it is a name
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
	 * @param command its name or absolute path
	 * @return its absolute path, or {@code null} when there is no executable program of
	 * that name
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
