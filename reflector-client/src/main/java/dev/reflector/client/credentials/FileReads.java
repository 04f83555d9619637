package dev.reflector.client.credentials;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Reads files, and can tell whether any of them has changed since. Follows links, because
 * the kubelet replaces files by replacing a link to their folder.
 */
final class FileReads {

	/** No credential is larger; larger files are not read into memory. */
	private static final int MAX_SIZE = 3 * 1024 * 1024;

	private final Map<Path, Stamp> stamps = new HashMap<>();

	/**
	 * Reads a file.
	 * @param file the file
	 * @return its text
	 * @throws IOException when it cannot be read; the message has the file and the reason
	 */
	String read(Path file) throws IOException {
		// before reading, so that a change while reading is noticed the next time
		Stamp stamp = Stamp.of(file);
		this.stamps.put(file, stamp);
		if (stamp.size() > MAX_SIZE) {
			throw new IOException(file + " is larger than " + MAX_SIZE + " bytes");
		}
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new IOException(file + " " + reason(ex), ex);
		}
	}

	/**
	 * Checks whether a file exists.
	 * @param file the file
	 * @return whether it exists
	 */
	boolean exists(Path file) {
		Stamp stamp = Stamp.of(file);
		this.stamps.put(file, stamp);
		return stamp.size() >= 0;
	}

	boolean haveChanged() {
		return !this.stamps.entrySet().stream().allMatch((entry) -> Stamp.of(entry.getKey()).equals(entry.getValue()));
	}

	private static String reason(IOException ex) {
		if (ex instanceof NoSuchFileException) {
			return "does not exist";
		}
		if (ex instanceof AccessDeniedException) {
			return "may not be read by this process";
		}
		return (ex instanceof CharacterCodingException) ? "is no text" : "cannot be read";
	}

	/**
	 * The attributes of a file.
	 *
	 * @param modified when it was last modified
	 * @param size its size, -1 when it does not exist
	 * @param key its identifier in the file system
	 */
	private record Stamp(@Nullable FileTime modified, long size, @Nullable Object key) {

		static Stamp of(Path file) {
			try {
				BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
				return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
			}
			catch (IOException ex) {
				return new Stamp(null, -1, null);
			}
		}

	}

}
