package dev.reflector.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The files of the project without those that builds write: modules are built side by
 * side, and what others of them write may be gone before it is looked at.
 */
final class ProjectFiles {

	private static final Set<String> WRITTEN_BY_TOOLS = Set.of("target", ".git");

	private ProjectFiles() {
	}

	/**
	 * All regular files below a folder.
	 * @param folder the folder
	 * @return the files in the order of the file system
	 */
	static List<Path> below(Path folder) {
		List<Path> found = new ArrayList<>();
		try {
			Files.walkFileTree(folder, new SimpleFileVisitor<>() {

				@Override
				public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
					boolean skipped = !directory.equals(folder)
							&& WRITTEN_BY_TOOLS.contains(directory.getFileName().toString());
					return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
				}

				@Override
				public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
					if (attributes.isRegularFile()) {
						found.add(file);
					}
					return FileVisitResult.CONTINUE;
				}

			});
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return found;
	}

}
