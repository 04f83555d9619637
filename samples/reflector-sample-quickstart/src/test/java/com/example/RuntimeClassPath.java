package com.example;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The class path of the application without its tests, which the build writes down before
 * they run.
 */
final class RuntimeClassPath {

	private static final Path FILE = Path.of("target", "runtime-class-path");

	private RuntimeClassPath() {
	}

	/** All that dependencies bring. */
	static List<Path> dependencies() throws IOException {
		return Stream.of(Files.readString(FILE).strip().split(File.pathSeparator)).map(Path::of).toList();
	}

	/**
	 * The application, with nothing but what the starter brings, and what else is given.
	 */
	static String with(Path... more) throws IOException {
		return Stream.of(Stream.of(application()), dependencies().stream(), Stream.of(more))
			.flatMap((entries) -> entries)
			.map(Path::toString)
			.collect(Collectors.joining(File.pathSeparator));
	}

	/** The classes of the application. */
	static Path application() {
		return Path.of("target", "classes");
	}

}
