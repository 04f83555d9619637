package dev.reflector.client.credentials;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;

import dev.reflector.client.internal.pem.ShownPath;
import org.jspecify.annotations.Nullable;

/**
 * Reads files, and reports whether any of them has changed since it was read. Follows
 * links, because the kubelet updates files by replacing a link to their folder. Reads at
 * most {@value #MAX_SIZE} bytes of a file, whatever size the file system reports. Never
 * opens a pipe or a device, which could block or never end.
 */
final class FileReads {

	/**
	 * The largest size of a file in bytes. No credential is larger, and a larger file is
	 * not read into memory.
	 */
	private static final int MAX_SIZE = 3 * 1024 * 1024;

	private static final Path NULL_DEVICE = Path.of("/dev/null");

	private final Map<Path, Stamp> stamps = new HashMap<>();

	/**
	 * Reads a file.
	 * @param file the file
	 * @return its text
	 * @throws IOException if the file cannot be read; the message has the file and the
	 * reason
	 */
	String read(Path file) throws IOException {
		// taken before the file is read, so that the next check notices a change during
		// the read
		Stamp stamp = Stamp.of(file);
		this.stamps.put(file, stamp);
		if (stamp.special() && !isNullDevice(file)) {
			throw new IOException(file + " is a folder, a pipe or a device, but must be a file that can be read again");
		}
		byte[] content;
		try (InputStream in = Files.newInputStream(file)) {
			// the size in the attributes may be wrong, for example for files in /proc
			content = in.readNBytes(MAX_SIZE + 1);
		}
		catch (IOException ex) {
			String name = name(file);
			// the message of the cause contains the path as well
			throw new IOException(name + " " + reason(ex), name.equals(ShownPath.HIDDEN) ? null : ex);
		}
		if (content.length > MAX_SIZE) {
			throw new IOException(file + " is larger than " + MAX_SIZE + " bytes");
		}
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
		}
		catch (CharacterCodingException ex) {
			throw new IOException(file + " " + reason(ex), ex);
		}
	}

	/**
	 * Returns whether a file is {@code /dev/null}. For kubectl, this is an empty
	 * kubeconfig.
	 */
	private static boolean isNullDevice(Path file) {
		try {
			return file.toRealPath().equals(NULL_DEVICE);
		}
		catch (IOException ex) {
			return false;
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

	/**
	 * Returns the path of a file for messages. Reads no attributes.
	 * @param file the file
	 * @return the path, if the file was found when it was read, or if the path is not
	 * likely to be a secret
	 */
	String name(Path file) {
		Stamp stamp = this.stamps.get(file);
		return (stamp != null && stamp.size() >= 0) ? file.toString() : ShownPath.of(file.toString());
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
	 * @param size its size, or -1 if the file does not exist
	 * @param key its identifier in the file system
	 * @param special whether the file exists and is not a regular file
	 */
	private record Stamp(@Nullable FileTime modified, long size, @Nullable Object key, boolean special) {

		static Stamp of(Path file) {
			try {
				BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
				return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey(),
						!attributes.isRegularFile());
			}
			catch (IOException ex) {
				return new Stamp(null, -1, null, false);
			}
		}

	}

}
