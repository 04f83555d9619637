package dev.reflector.snapshot.jdbc;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import dev.reflector.ResourceKey;
import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotCommit;
import dev.reflector.cache.snapshot.SnapshotCorruptException;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotFencedException;
import dev.reflector.cache.snapshot.SnapshotHead;
import dev.reflector.cache.snapshot.SnapshotHeader;
import dev.reflector.cache.snapshot.SnapshotReader;
import dev.reflector.cache.snapshot.StoredObject;
import dev.reflector.fixture.LongForm;
import dev.reflector.snapshot.jdbc.fixture.SmallDisk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests a store in a SQLite file when the disk is full or read-only, when the file is
 * damaged or missing, and when another process uses the file.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class SqliteFaultTests {

	private final Deque<AutoCloseable> opened = new ArrayDeque<>();

	@TempDir
	Path directory;

	@AfterEach
	void closeWhatWasOpened() throws Exception {
		while (!this.opened.isEmpty()) {
			this.opened.pop().close();
		}
	}

	@Test
	void filesAreForTheUserOfTheProcessAlone() throws IOException {
		Path file = this.directory.resolve("one/two/snapshots.db");
		Snapshot snapshot = store(file).open("pods");
		snapshot.claim();
		snapshot.commit(NumberedCommits.of(1));
		assertThat(permissions(file.getParent())).isEqualTo("rwx------");
		assertThat(permissions(file.getParent().getParent())).isEqualTo("rwx------");
		try (Stream<Path> files = Files.list(file.getParent())) {
			assertThat(files.toList()).hasSize(4)
				.allSatisfy((path) -> assertThat(permissions(path)).isEqualTo("rw-------"));
		}
	}

	@Test
	void aFileThatOthersCouldReadIsTakenFromThem() throws IOException {
		Files.writeString(file(), "");
		Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw-r--"));
		store(file()).open("pods");
		assertThat(permissions(file())).isEqualTo("rw-------");
	}

	@Test
	void twoProcessesOnOneFile() throws Exception {
		try (CommittingProcess process = CommittingProcess.start(file().toString()).await(5)) {
			Snapshot snapshot = store(file()).open("pods");
			for (int time = 0; time < LongForm.times(20, 6); time++) {
				assertThat(snapshot.claim()).isFalse();
				assertThat(NumberedCommits.lastOf(snapshot)).isNotNegative();
				process.await(1);
			}
			process.kill();
			assertThat(snapshot.claim()).isTrue();
			assertThat(NumberedCommits.lastOf(snapshot)).isGreaterThanOrEqualTo(process.returned("pods"));
		}
	}

	@Test
	void aCommitWaitsForAnotherProcessThatHoldsTheFile() throws Exception {
		Snapshot snapshot = store(file()).open("pods");
		assertThat(snapshot.claim()).isTrue();
		CompletableFuture<Void> commit;
		try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
				Statement statement = other.createStatement()) {
			statement.execute("BEGIN IMMEDIATE");
			commit = CompletableFuture.runAsync(() -> snapshot.commit(NumberedCommits.of(1)));
			assertThat(commit).failsWithin(Duration.ofMillis(200)).withThrowableOfType(TimeoutException.class);
		}
		commit.join();
		assertThat(NumberedCommits.lastOf(snapshot)).isEqualTo(1);
	}

	@Test
	void aFullDiskLosesNothingAndIsUsedAgain() throws Exception {
		SmallDisk disk = smallDisk();
		Path file = disk.directory().resolve("snapshots.db");
		Snapshot snapshot = store(file).open("pods");
		snapshot.claim();
		snapshot.commit(NumberedCommits.of(1));
		SnapshotCommit large = new SnapshotCommit("2", "1", new SnapshotHeader(1, "", "", "", "", List.of(), ""),
				List.of(new StoredObject(ResourceKey.of("ns", "large"), "", "2", new byte[2 << 20])), List.of(),
				Map.of("", "2"));
		for (int time = 0; time < 3; time++) {
			assertThatExceptionOfType(SnapshotException.class).isThrownBy(() -> snapshot.commit(large))
				.withMessageStartingWith("Snapshots in " + file + " cannot be written: ")
				.withMessageContaining("full")
				.withMessageEndingWith("Free space on that disk: what was stored before is still there");
			assertThat(NumberedCommits.lastOf(snapshot)).isEqualTo(1);
		}
		disk.remount("size=16m");
		snapshot.commit(large);
		assertThat(snapshot.facts().objects()).isEqualTo(7);
	}

	@Test
	void aReadOnlyDirectoryIsNamed() throws Exception {
		SmallDisk disk = smallDisk();
		disk.remount("ro");
		JdbcSnapshotStore store = store(disk.directory().resolve("folder/snapshots.db"));
		assertThatExceptionOfType(SnapshotException.class).isThrownBy(() -> store.open("pods"))
			.withMessageContaining(disk.directory().resolve("folder") + ": Read-only file system")
			.withMessageEndingWith("Check that this user may write the file and its directory, or set "
					+ "'reflector.snapshot.jdbc.file' to another");
		disk.remount("rw");
		assertThat(store.open("pods").claim()).isTrue();
	}

	@Test
	void aFileInThePlaceOfTheDirectoryIsNamed() throws IOException {
		Files.writeString(this.directory.resolve("folder"), "");
		JdbcSnapshotStore store = store(this.directory.resolve("folder/snapshots.db"));
		assertThatExceptionOfType(SnapshotException.class).isThrownBy(() -> store.open("pods"))
			.withMessageContaining(this.directory.resolve("folder").toString())
			.withMessageEndingWith("'reflector.snapshot.jdbc.file' to another");
	}

	@Test
	void aFileThatIsNoDatabaseIsMovedAsideAndANewOneBegun(CapturedOutput output) throws IOException {
		for (int time = 1; time <= 2; time++) {
			String garbage = ("no database " + time + " ").repeat(1000);
			Files.writeString(file(), garbage);
			try (JdbcSnapshotStore store = JdbcSnapshotStore.of(file()); Snapshot snapshot = store.open("pods")) {
				assertThat(snapshot.claim()).isTrue();
				assertThat(NumberedCommits.lastOf(snapshot)).isZero();
				snapshot.commit(NumberedCommits.of(1));
			}
			Path moved = this.directory.resolve("snapshots.db.damaged-" + time);
			assertThat(moved).hasContent(garbage);
			assertThat(output).contains("It was moved to " + moved + "; creating a new one");
		}
	}

	/** As after a first time at which there was no more than that. */
	@Test
	void aWriteAheadLogThatWasMovedAsideIsNotMixedWithALaterFile() throws IOException {
		Path before = this.directory.resolve("snapshots.db.damaged-1-wal");
		Files.writeString(before, "the first");
		Files.writeString(file(), "no database ".repeat(1000));
		Files.writeString(this.directory.resolve("snapshots.db-wal"), "the second");
		Path moved = SqliteFile.moveAside(file(), SqliteFile.DAMAGED);
		assertThat(moved).hasFileName("snapshots.db.damaged-2");
		assertThat(before).hasContent("the first");
		assertThat(this.directory.resolve("snapshots.db.damaged-2-wal")).hasContent("the second");
	}

	@Test
	void aDamagedFileThatAnotherHasIsLeftWhereItIs() throws Exception {
		FileLock other = new FileLock(file());
		this.opened.push(other::close);
		assertThat(other.hold("pods", this)).isTrue();
		Files.writeString(file(), "no database ".repeat(1000));
		assertThatExceptionOfType(SnapshotCorruptException.class).isThrownBy(() -> store(file()).open("pods"))
			.withMessageEndingWith("and another process uses it");
		assertThat(this.directory.resolve("snapshots.db.damaged-1")).doesNotExist();
	}

	@Test
	void aLockFileThatWasRemovedIsNoLongerALock() throws Exception {
		FileLock first = new FileLock(file());
		this.opened.push(first::close);
		assertThat(first.hold("pods", this)).isTrue();
		assertThat(first.hold("nodes", this)).isTrue();
		Files.delete(this.directory.resolve("snapshots.db.lock"));
		FileLock second = new FileLock(file());
		this.opened.push(second::close);
		assertThat(second.hold("pods", this)).isTrue();
		assertThat(first.hold("pods", this)).isFalse();
		assertThat(first.hold("nodes", this)).isFalse();
		second.close();
		assertThat(first.hold("nodes", this)).isTrue();
	}

	@Test
	void damageThatIsFoundLaterMovesTheFileWhenItIsSetAside() throws Exception {
		fill();
		damageObjects();
		JdbcSnapshotStore store = store(file());
		Snapshot pods = store.open("pods");
		Snapshot nodes = store.open("nodes");
		assertThat(pods.claim()).isTrue();
		assertThat(nodes.claim()).isTrue();
		assertThatExceptionOfType(SnapshotCorruptException.class).isThrownBy(() -> NumberedCommits.lastOf(pods));
		Path moved = this.directory.resolve("snapshots.db.damaged-1");
		assertThat(pods.setAside("damaged")).isEqualTo(moved.toString());
		assertThat(moved).exists();
		assertThat(NumberedCommits.lastOf(pods)).isZero();
		pods.commit(NumberedCommits.of(1));
		// its data went with the file: the writer gets an exception and must begin again
		assertThatExceptionOfType(SnapshotFencedException.class)
			.isThrownBy(() -> nodes.commit(NumberedCommits.of(101)));
		assertThat(nodes.claim()).isTrue();
		assertThat(NumberedCommits.lastOf(nodes)).isZero();
	}

	@Test
	void aSlowReaderOfADamagedFileDoesNotMoveTheNextFile() throws Exception {
		fill();
		damageObjects();
		JdbcSnapshotStore store = store(file());
		Snapshot pods = store.open("pods");
		Snapshot nodes = store.open("nodes");
		assertThat(pods.claim()).isTrue();
		assertThat(nodes.claim()).isTrue();
		assertThatExceptionOfType(SnapshotCorruptException.class).isThrownBy(() -> nodes.load(new SnapshotReader() {

			@Override
			public boolean head(SnapshotHead head) {
				assertThatExceptionOfType(SnapshotCorruptException.class)
					.isThrownBy(() -> NumberedCommits.lastOf(pods));
				pods.setAside("damaged");
				pods.commit(NumberedCommits.of(1));
				return true;
			}

			@Override
			public void object(StoredObject object) {
				// not wanted
			}

		}));
		assertThatExceptionOfType(SnapshotFencedException.class).isThrownBy(() -> nodes.setAside("damaged"));
		assertThat(this.directory.resolve("snapshots.db.damaged-1")).exists();
		assertThat(this.directory.resolve("snapshots.db.damaged-2")).doesNotExist();
		assertThat(NumberedCommits.lastOf(pods)).isEqualTo(1);
	}

	private void damageObjects() throws IOException {
		try (RandomAccessFile file = new RandomAccessFile(file().toFile(), "rw")) {
			for (long position = 3 * 4096; position < file.length(); position += 64) {
				file.seek(position);
				file.writeLong(-1);
			}
		}
	}

	private void fill() throws Exception {
		try (JdbcSnapshotStore store = JdbcSnapshotStore.of(file())) {
			for (String reflector : List.of("pods", "nodes")) {
				try (Snapshot snapshot = store.open(reflector)) {
					snapshot.claim();
					for (int number = 1; number <= 100; number++) {
						snapshot.commit(NumberedCommits.of(number));
					}
				}
			}
		}
	}

	@Test
	void aRemovedFileIsCreatedAgainAndTheWriterGetsAnException(CapturedOutput output) throws IOException {
		Snapshot snapshot = store(file()).open("pods");
		snapshot.claim();
		snapshot.commit(NumberedCommits.of(1));
		for (String suffix : List.of("", "-wal", "-shm")) {
			Files.delete(this.directory.resolve("snapshots.db" + suffix));
		}
		assertThatExceptionOfType(SnapshotFencedException.class)
			.isThrownBy(() -> snapshot.commit(NumberedCommits.of(2)));
		assertThat(output).contains(file() + " was removed or replaced. Creating a new one");
		assertThat(snapshot.claim()).isTrue();
		assertThat(NumberedCommits.lastOf(snapshot)).isZero();
		snapshot.commit(NumberedCommits.of(1));
		assertThat(NumberedCommits.lastOf(snapshot)).isEqualTo(1);
	}

	@Test
	void aClockThatIsSetBackChangesNothing() {
		SqliteDatabase database = new SqliteDatabase(file());
		this.opened.push(database);
		Instant now = Instant.parse("2026-11-24T12:00:00Z");
		for (int number = 1; number <= 3; number++) {
			Clock clock = Clock.fixed(now.minus(Duration.ofDays(number)), ZoneOffset.UTC);
			try (Snapshot snapshot = new JdbcSnapshot(database, "pods", clock)) {
				assertThat(snapshot.claim()).isTrue();
				assertThat(NumberedCommits.lastOf(snapshot)).isEqualTo(number - 1);
				snapshot.commit(NumberedCommits.of(number));
				assertThat(snapshot.facts().committedAt()).isEqualTo(clock.instant());
			}
		}
	}

	@Test
	void aFileSystemWithoutAWriteAheadLogIsRefused() throws Exception {
		SqliteDatabase.requireWal(file(), journalMode("unix"));
		assertThatExceptionOfType(SnapshotException.class)
			.isThrownBy(() -> SqliteDatabase.requireWal(file(), journalMode("unix-dotfile")))
			.withMessage("Snapshots cannot be kept in " + file() + ", which cannot have a write-ahead log (PRAGMA "
					+ "journal_mode returned 'delete'), for example because it is on a network disk: set "
					+ "'reflector.snapshot.jdbc.file' " + "to a file on a local disk, or use PostgreSQL");
	}

	/**
	 * Returns SQLite's answer to the request for a write-ahead log. SQLite locks files in
	 * several ways, and one of them, for disks without locks, has no shared memory.
	 */
	private String journalMode(String locks) throws SQLException {
		try (Connection connection = DriverManager
			.getConnection("jdbc:sqlite:file:" + this.directory.resolve(locks) + "?vfs=" + locks);
				Statement statement = connection.createStatement();
				ResultSet answer = statement.executeQuery("PRAGMA journal_mode = WAL")) {
			assertThat(answer.next()).isTrue();
			return answer.getString(1);
		}
	}

	@Test
	void aCommitThatIsRefusedDoesNotHinderThoseItWaitsWith() {
		JdbcSnapshotStore store = store(file());
		Snapshot pods = store.open("pods");
		pods.claim();
		Snapshot nodes = store.open("nodes");
		nodes.claim();
		for (int number = 1; number <= 50; number++) {
			int next = number;
			CompletableFuture<Void> refused = CompletableFuture
				.runAsync(() -> assertThatExceptionOfType(SnapshotFencedException.class)
					.isThrownBy(() -> store.open("none").commit(NumberedCommits.of(1))));
			pods.commit(NumberedCommits.of(next));
			nodes.commit(NumberedCommits.of(next));
			refused.join();
		}
		assertThat(NumberedCommits.lastOf(pods)).isEqualTo(50);
		assertThat(NumberedCommits.lastOf(nodes)).isEqualTo(50);
	}

	@Test
	void anErrorInACommitLeavesNothingForTheNextCommit() {
		SqliteDatabase database = new SqliteDatabase(file());
		this.opened.push(database);
		try (Snapshot pods = new JdbcSnapshot(database, "pods", Clock.systemUTC());
				Snapshot nodes = new JdbcSnapshot(database, "nodes", Clock.systemUTC())) {
			assertThat(pods.claim()).isTrue();
			assertThat(nodes.claim()).isTrue();
			pods.commit(NumberedCommits.of(1));
			assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> database.write((jdbc) -> {
				jdbc.update("DELETE FROM REFLECTOR_SNAPSHOT_OBJECT");
				throw new OutOfMemoryError("in the middle of a commit");
			}));
			nodes.commit(NumberedCommits.of(1));
			assertThat(NumberedCommits.lastOf(pods)).isEqualTo(1);
			assertThat(NumberedCommits.lastOf(nodes)).isEqualTo(1);
		}
	}

	private Path file() {
		return this.directory.resolve("snapshots.db");
	}

	private JdbcSnapshotStore store(Path file) {
		JdbcSnapshotStore store = JdbcSnapshotStore.of(file);
		this.opened.push(store);
		return store;
	}

	private static String permissions(Path path) {
		try {
			return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private SmallDisk smallDisk() throws Exception {
		SmallDisk disk = SmallDisk.mount(this.directory.resolve("disk"));
		// after what is on it
		this.opened.addLast(disk);
		return disk;
	}

}
