package dev.reflector.sample.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file of the folder. An object of a mirror can be of any type.
 *
 * @param name name of the file
 * @param size size of the file in bytes
 * @param modified when the file was last modified
 */
record FileEntry(String name, long size, Instant modified) {

	/** Returns all files of a folder. */
	static List<FileEntry> of(Path folder) throws IOException {
		List<FileEntry> files = new ArrayList<>();
		try (Stream<Path> paths = Files.list(folder)) {
			for (Path path : paths.sorted().toList()) {
				BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
				if (attributes.isRegularFile()) {
					files.add(new FileEntry(path.getFileName().toString(), attributes.size(),
							attributes.lastModifiedTime().toInstant()));
				}
			}
		}
		catch (NoSuchFileException ex) {
			// a file was deleted during the read, so the result would not be a state of
			// the folder
			throw new IOException(ex.getFile() + " was deleted since", ex);
		}
		return files;
	}

}
