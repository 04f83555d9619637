package dev.reflector.snapshot.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.JDBC;

/**
 * The files of a SQLite database: who may read them, where they are moved to, and
 * connections to them.
 */
final class SqliteFile {

	private static final Logger logger = LoggerFactory.getLogger(SqliteFile.class);

	/** What SQLite keeps beside the file, which gets the permissions of the file. */
	private static final List<String> SUFFIXES = List.of("", "-wal", "-shm");

	private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");

	private static final Set<PosixFilePermission> PRIVATE_DIRECTORY = PosixFilePermissions.fromString("rwx------");

	/** Ends the name of a damaged file, before a number. */
	static final String DAMAGED = ".damaged-";

	/** A file that is there: creating it is ours, for its permissions. */
	private static final String READ_AND_WRITE = "2";

	private SqliteFile() {
	}

	/** Makes the file and its directory if they are missing, for this user alone. */
	static void prepare(Path file) {
		try {
			boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
			Path directory = file.getParent();
			if (directory != null && !Files.isDirectory(directory)) {
				Files.createDirectories(directory, attributes(posix, PRIVATE_DIRECTORY));
			}
			try {
				Files.createFile(file, attributes(posix, PRIVATE));
			}
			catch (FileAlreadyExistsException ex) {
				for (String suffix : posix ? SUFFIXES : List.<String>of()) {
					Path part = sibling(file, suffix);
					if (Files.exists(part, LinkOption.NOFOLLOW_LINKS)
							&& !Files.getPosixFilePermissions(part).equals(PRIVATE)) {
						Files.setPosixFilePermissions(part, PRIVATE);
					}
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static FileAttribute<?>[] attributes(boolean posix, Set<PosixFilePermission> permissions) {
		return posix ? new FileAttribute<?>[] { PosixFilePermissions.asFileAttribute(permissions) }
				: new FileAttribute<?>[0];
	}

	/**
	 * What distinguishes a file from another one of the same name later; {@code null}
	 * without a file.
	 */
	static @Nullable Object identity(Path file) {
		try {
			Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
			return (key != null) ? key : file;
		}
		catch (IOException ex) {
			return null;
		}
	}

	/** Gives the database another name, the first one that is free. */
	static Path moveAside(Path file, String suffix) {
		int number = 1;
		while (isAnyThere(sibling(file, suffix + number))) {
			number++;
		}
		Path target = sibling(file, suffix + number);
		try {
			for (String part : SUFFIXES) {
				if (Files.exists(sibling(file, part))) {
					Files.move(sibling(file, part), sibling(target, part));
				}
			}
			return target;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** A file of another database beside it would be taken for a part of it. */
	private static boolean isAnyThere(Path file) {
		return SUFFIXES.stream().anyMatch((part) -> Files.exists(sibling(file, part), LinkOption.NOFOLLOW_LINKS));
	}

	private static Path sibling(Path file, String suffix) {
		return file.resolveSibling(file.getFileName() + suffix);
	}

	/**
	 * Loads the driver and its native library on a separate thread while the application
	 * starts, since that takes a while. Opens no file. When it fails, the first
	 * connection fails in the same way.
	 */
	static void loadDriverInBackground() {
		Thread thread = new Thread(() -> {
			try (Connection connection = JDBC.createConnection(JDBC.PREFIX + ":memory:", new Properties())) {
				DatabaseSchema.create(connection, Dialect.SQLITE, DatabaseSchema.PREFIX);
			}
			catch (SQLException | RuntimeException | LinkageError ex) {
				logger.debug(
						"The SQLite driver could not be loaded in the background. It is loaded at its " + "first use",
						ex);
			}
		}, "reflector-snapshot-driver");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Opens a connection to a file that is there.
	 * @param settings names and values of the driver's settings
	 */
	static Connection connect(Path file, String... settings) throws SQLException {
		Properties properties = new Properties();
		properties.setProperty("open_mode", READ_AND_WRITE);
		for (int i = 0; i < settings.length; i += 2) {
			properties.setProperty(settings[i], settings[i + 1]);
		}
		return JDBC.createConnection(JDBC.PREFIX + file, properties);
	}

}
