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
 * The files of a SQLite database: sets their permissions, moves them away, and connects
 * to them.
 */
final class SqliteFile {

	private static final Logger logger = LoggerFactory.getLogger(SqliteFile.class);

	/**
	 * Suffixes of the database file and of the files that SQLite keeps beside it. All
	 * have the same permissions.
	 */
	private static final List<String> SUFFIXES = List.of("", "-wal", "-shm");

	private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");

	private static final Set<PosixFilePermission> PRIVATE_DIRECTORY = PosixFilePermissions.fromString("rwx------");

	/** Suffix for the name of a damaged file. A number follows it. */
	static final String DAMAGED = ".damaged-";

	/**
	 * The mode in which SQLite opens a file, but does not create it. If SQLite created a
	 * missing file, other users of the machine might be able to read it. {@link #prepare}
	 * creates the file with access only for the current user.
	 */
	private static final String READ_AND_WRITE = "2";

	private SqliteFile() {
	}

	/**
	 * Creates the file and its directory if they are missing, with access only for the
	 * current user.
	 */
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
	 * Returns a value that distinguishes a file from a later file of the same name, or
	 * {@code null} if there is no file.
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

	/** Renames the files of the database to the first unused name. */
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

	/**
	 * Whether any of the files that SQLite keeps for a database of this name exists.
	 * SQLite would treat a file that is left from another database as part of this one.
	 */
	private static boolean isAnyThere(Path file) {
		return SUFFIXES.stream().anyMatch((part) -> Files.exists(sibling(file, part), LinkOption.NOFOLLOW_LINKS));
	}

	private static Path sibling(Path file, String suffix) {
		return file.resolveSibling(file.getFileName() + suffix);
	}

	/**
	 * Loads the driver and its native library on a separate thread while the application
	 * starts, because loading takes some time. Opens no file. If loading fails, the first
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
	 * Opens a connection to an existing file.
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
