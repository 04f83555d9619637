package dev.reflector.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.reflector.snapshot.jdbc.fixture.SmallDisk;

/**
 * A SQLite file, on a small disk if this user may make one.
 */
final class SqliteCrashStore implements CrashStore {

	private static final List<String> PARTS = List.of("", "-wal", "-shm");

	private final Path copy;

	private final Optional<SmallDisk> disk;

	private final Path directory;

	private int number;

	/** Holds the lock of the file, as a tool for backups does. */
	private Connection lock;

	SqliteCrashStore(Path directory) throws IOException {
		this.copy = directory.resolve("copy.db");
		this.disk = SmallDisk.mountIfAllowed(directory.resolve("disk"), "16m");
		this.directory = this.disk.map(SmallDisk::directory).orElse(directory);
	}

	@Override
	public void begin() {
		this.number++;
	}

	@Override
	public String place() {
		return file("").toString();
	}

	private Path file(String part) {
		return this.directory.resolve("mirror-" + this.number + ".db" + part);
	}

	@Override
	public StoredMirror read(boolean dead) {
		return StoredMirror.read(place(), dead);
	}

	@Override
	public void copy() throws Exception {
		Files.deleteIfExists(this.copy);
		execute("VACUUM INTO '" + this.copy + "'");
	}

	@Override
	public void restore() throws IOException {
		Path fresh = this.directory.resolve("restored.db");
		Files.copy(this.copy, fresh, StandardCopyOption.REPLACE_EXISTING);
		remove();
		Files.move(fresh, file(""), StandardCopyOption.ATOMIC_MOVE);
	}

	private void remove() throws IOException {
		for (String part : PARTS) {
			Files.deleteIfExists(file(part));
		}
	}

	@Override
	public List<Disturbance> disturbances() {
		List<Disturbance> all = new ArrayList<>(List.of(new StoreOutage("file locked", this::lock, this::unlock),
				new OutageAtStart("file locked at the start", this::lock, this::unlock),
				new StoreRollback("older file restored in place", this::copy, this::restoreInPlace, () -> {
				}), new StoreRollback("older file moved into place", this::copy, this::restore, () -> {
				}), new StoreRollback("file removed", this::copy, this::remove, () -> {
				}), new OlderStore("older file between lives"),
				new NewRelease("component added", WidgetRelease.Name.WIDER),
				new NewRelease("type changed", WidgetRelease.Name.STRICTER), new SlowListener()));
		this.disk.ifPresent((disk) -> all.add(new StoreOutage("disk full", disk::fill, disk::free)));
		return all;
	}

	@Override
	public List<String> ofFullForm() {
		List<String> names = new ArrayList<>(
				List.of("older file moved into place", "component added", "slow listener"));
		this.disk.ifPresent((disk) -> names.add("disk full"));
		return names;
	}

	private void lock() throws SQLException {
		this.lock = DriverManager.getConnection("jdbc:sqlite:" + place());
		try (Statement statement = this.lock.createStatement()) {
			statement.execute("PRAGMA busy_timeout = 10000");
			statement.execute("BEGIN IMMEDIATE");
		}
	}

	private void unlock() throws SQLException {
		this.lock.close();
	}

	/**
	 * Restores with SQLite's own backup, which changes the file while others have it
	 * open.
	 */
	private void restoreInPlace() throws SQLException {
		execute("restore from '" + this.copy + "'");
	}

	private void execute(String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + place());
				Statement statement = connection.createStatement()) {
			statement.execute("PRAGMA busy_timeout = 10000");
			statement.executeUpdate(sql);
		}
	}

	@Override
	public void close() throws IOException {
		if (this.disk.isPresent()) {
			this.disk.get().close();
		}
	}

	@Override
	public String toString() {
		return "SQLite" + (this.disk.isPresent() ? "" : " without a disk that can be full");
	}

}
