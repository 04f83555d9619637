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
 * Reads files, and remembers what they looked like so that it can be told whether one of
 * them is another by now. Links are followed: a folder that is swapped by swapping a
 * link, like the kubelet does it, has other files.
 */
final class FileReads {

	/** No credential is larger, and nothing larger is read into memory. */
	private static final int MAX_SIZE = 3 * 1024 * 1024;

	private final Map<Path, Stamp> stamps = new HashMap<>();

	/**
	 * Reads a file.
	 * @param file the file
	 * @return its text
	 * @throws IOException when it cannot be read; the message names the file and the
	 * reason
	 */
	String read(Path file) throws IOException {
		// before it is read: what is written in between is found the next time
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
	 * Looks whether a file is there.
	 * @param file the file
	 * @return whether it is there
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
	 * What a file looks like from outside.
	 *
	 * @param modified when it was written
	 * @param size its size, -1 when it is not there
	 * @param key what the file system knows it by
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
