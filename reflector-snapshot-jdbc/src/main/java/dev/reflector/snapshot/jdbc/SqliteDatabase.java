package dev.reflector.snapshot.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import dev.reflector.cache.snapshot.SnapshotCorruptException;
import dev.reflector.cache.snapshot.SnapshotException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * The SQLite file of a store. One connection writes, guarded by the lock
 * {@link #writing}. Each read has a separate connection. Reads do not block the writer,
 * because the file has a write-ahead log.
 */
final class SqliteDatabase extends SnapshotDatabase {

	private static final Logger logger = LoggerFactory.getLogger(SqliteDatabase.class);

	private static final String WAIT_MILLIS = "10000";

	private static final String OUTDATED = "SELECT user_version <= " + DatabaseSchema.VERSION
			+ " AND NOT EXISTS (SELECT 1 FROM " + "pragma_table_info('" + DatabaseSchema.PREFIX
			+ "') WHERE name = 'COMMIT_ID') FROM pragma_user_version";

	private static final int SQLITE_BUSY = 5;

	private static final int SQLITE_FULL = 13;

	/** File systems whose locks and shared memory are not reliable enough for SQLite. */
	private static final Set<String> NETWORK = Set.of("nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "lustre",
			"gpfs", "9p", "beegfs", "fuse.sshfs", "fuse.glusterfs", "fuse.s3fs", "fuse.ceph-fuse", "fuse.gcsfuse",
			"fuse.juicefs", "fuse.rclone");

	private final Path file;

	private final WriterLock lock;

	private final ReentrantLock writing = new ReentrantLock();

	private final CommitGroup commits = new CommitGroup(this.writing);

	private @Nullable Connection writer;

	private @Nullable Object identity;

	/**
	 * Whether the store was closed. A call that was in progress at that time closes its
	 * connection itself.
	 */
	private volatile boolean closed;

	SqliteDatabase(Path file) {
		this.file = file.toAbsolutePath().normalize();
		this.lock = new FileLock(this.file);
		use(new SnapshotSql(Dialect.SQLITE, DatabaseSchema.PREFIX));
	}

	@Override
	String location() {
		return this.file.toString();
	}

	@Override
	boolean isLocal() {
		return true;
	}

	@Override
	WriterLock lock() {
		return this.lock;
	}

	@Override
	void connect() throws SQLException {
		this.writing.lock();
		try {
			writer();
		}
		finally {
			closeIfClosed();
			this.writing.unlock();
		}
	}

	private void closeIfClosed() {
		if (this.closed) {
			closeWriter();
		}
	}

	@Override
	<R extends @Nullable Object> R doRead(Function<JdbcOperations, R> work) throws SQLException {
		try (Connection reader = SqliteFile.connect(this.file, "busy_timeout", WAIT_MILLIS)) {
			reader.setAutoCommit(false);
			return work.apply(jdbc(reader));
		}
	}

	@Override
	<R> R doWrite(Function<JdbcOperations, R> work) throws SQLException {
		return this.commits.commit(work, this::commitAll);
	}

	/**
	 * Runs work in one transaction. After a failure, closes the connection, and the next
	 * commit opens a new one.
	 */
	private void commitAll(Function<JdbcOperations, Boolean> work) throws SQLException {
		try {
			Connection connection = writer();
			connection.setAutoCommit(false);
			work.apply(jdbc(connection));
			connection.commit();
			connection.setAutoCommit(true);
		}
		catch (RuntimeException | SQLException | Error ex) {
			// otherwise, the next commit would include a part of this one
			closeWriter();
			throw ex;
		}
		finally {
			closeIfClosed();
		}
	}

	private static JdbcOperations jdbc(Connection connection) {
		return new JdbcTemplate(new SingleConnectionDataSource(connection, true));
	}

	/**
	 * Returns the connection that writes. If the file was removed or replaced, opens a
	 * new connection to the file that has this name now.
	 */
	private Connection writer() throws SQLException {
		Connection current = this.writer;
		if (current != null && !Objects.equals(this.identity, SqliteFile.identity(this.file))) {
			logger.warn("{} was removed or replaced. Creating a new one", this.file);
			closeWriter();
			current = null;
		}
		if (current == null) {
			current = openOrReplace();
			this.writer = current;
			this.identity = SqliteFile.identity(this.file);
		}
		return current;
	}

	private Connection openOrReplace() throws SQLException {
		try {
			Connection connection = openWriter();
			if (!Boolean.TRUE.equals(jdbc(connection).queryForObject(OUTDATED, Boolean.class))) {
				return connection;
			}
			connection.close();
			return replaced("an earlier development build has created it", ".old-");
		}
		catch (SQLException ex) {
			if (!Dialect.SQLITE.isDamage(ex)) {
				throw ex;
			}
			return replaced(String.valueOf(ex.getMessage()), SqliteFile.DAMAGED);
		}
	}

	private Connection replaced(String reason, String suffix) throws SQLException {
		if (!this.lock.hold(this.file.toString(), this)) {
			throw new SnapshotCorruptException(
					this.file + " cannot be read (" + reason + "), and another process uses it", null);
		}
		try {
			logger.warn("{} cannot be read ({}). It was moved to {}; creating a new one", this.file, reason,
					SqliteFile.moveAside(this.file, suffix));
		}
		finally {
			this.lock.release(this.file.toString(), this);
		}
		return openWriter();
	}

	private Connection openWriter() throws SQLException {
		SqliteFile.prepare(this.file);
		refuseNetworkDisk();
		Connection connection = SqliteFile.connect(this.file, "busy_timeout", WAIT_MILLIS, "synchronous", "FULL",
				"transaction_mode", "IMMEDIATE");
		try (Statement statement = connection.createStatement()) {
			try (ResultSet answer = statement.executeQuery("PRAGMA journal_mode = WAL")) {
				requireWal(this.file, answer.next() ? answer.getString(1) : "nothing");
			}
			try (ResultSet version = statement.executeQuery(sql().version)) {
				if (!version.next() || version.getInt(1) == 0) {
					DatabaseSchema.create(connection, Dialect.SQLITE, DatabaseSchema.PREFIX);
				}
			}
			return connection;
		}
		catch (RuntimeException | SQLException ex) {
			connection.close();
			if (ex.getCause() instanceof SQLException cause) {
				throw cause;
			}
			throw ex;
		}
	}

	private void refuseNetworkDisk() {
		try {
			String type = Files.getFileStore(this.file).type().toLowerCase(Locale.ROOT);
			if (NETWORK.contains(type)) {
				throw noNetworkDisk(this.file, "is on a file system of type " + type);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static void requireWal(Path file, String journalMode) {
		if (!"wal".equalsIgnoreCase(journalMode)) {
			throw noNetworkDisk(file, "cannot have a write-ahead log (PRAGMA journal_mode returned '" + journalMode
					+ "'), for example because it is on a network disk");
		}
	}

	private static SnapshotException noNetworkDisk(Path file, String why) {
		return new SnapshotException("Snapshots cannot be kept in " + file + ", which " + why
				+ ": set 'reflector.snapshot.jdbc.file' to a file on a local disk, or use PostgreSQL", null);
	}

	@Override
	String moveAside() {
		this.writing.lock();
		try {
			closeWriter();
			return SqliteFile.moveAside(this.file, SqliteFile.DAMAGED).toString();
		}
		finally {
			this.writing.unlock();
		}
	}

	@Override
	@Nullable Object identity() {
		return SqliteFile.identity(this.file);
	}

	@Override
	String advice(@Nullable SQLException failure) {
		return switch ((failure != null) ? failure.getErrorCode() : 0) {
			case SQLITE_FULL -> ". Free space on that disk: what was stored before is still there";
			case SQLITE_BUSY -> ". Another process is writing";
			default -> ". Check that this user may write the file and its directory, or set "
					+ "'reflector.snapshot.jdbc.file' to another";
		};
	}

	private void closeWriter() {
		Connection current = this.writer;
		this.writer = null;
		if (current != null) {
			try {
				current.close();
			}
			catch (SQLException ex) {
				logger.debug("A connection to {} could not be closed", this.file, ex);
			}
		}
	}

	@Override
	public void close() {
		this.lock.close();
		this.closed = true;
		if (WriterLock.tryFor(this.writing)) {
			try {
				closeWriter();
			}
			finally {
				this.writing.unlock();
			}
		}
	}

}
