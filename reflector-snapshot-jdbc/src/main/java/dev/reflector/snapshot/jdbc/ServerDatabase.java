package dev.reflector.snapshot.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.function.Function;

import javax.sql.DataSource;

import dev.reflector.cache.snapshot.SnapshotException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * The database of a {@link DataSource} of the application.
 */
final class ServerDatabase extends SnapshotDatabase {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private final DataSource dataSource;

	private final TimedDataSource timed;

	private final String prefix;

	private final DatabaseInitializationMode initializeSchema;

	private volatile @Nullable Connected connected;

	ServerDatabase(DataSource dataSource, String prefix, DatabaseInitializationMode initializeSchema) {
		this.dataSource = dataSource;
		this.timed = new TimedDataSource(dataSource);
		this.prefix = prefix;
		this.initializeSchema = initializeSchema;
	}

	@Override
	String location() {
		Connected known = this.connected;
		return (known != null) ? known.place : "the DataSource of the application";
	}

	@Override
	boolean isLocal() {
		return false;
	}

	@Override
	WriterLock lock() {
		return connected().lock;
	}

	private Connected connected() {
		Connected known = this.connected;
		if (known == null) {
			throw new IllegalStateException("open() comes first");
		}
		return known;
	}

	@Override
	synchronized void connect() throws SQLException {
		if (this.connected != null) {
			return;
		}
		Connection connection = DataSourceUtils.doGetConnection(this.timed);
		try {
			DatabaseMetaData database = connection.getMetaData();
			Dialect dialect = Dialect.of(database.getDatabaseProductName());
			String url = String.valueOf(database.getURL());
			dialect.connected(this.dataSource, url);
			createTables(connection, dialect, url);
			use(new SnapshotSql(dialect, this.prefix));
			this.connected = new Connected(UrlCredentials.place(url), new Transactions(this.timed, dialect),
					dialect.lock(this.timed, this.prefix));
		}
		finally {
			DataSourceUtils.doReleaseConnection(connection, this.timed);
		}
	}

	/**
	 * Creates the tables if they are missing. Commits each statement, because new tables
	 * would be rolled back if the pool switched automatic commits off.
	 */
	private void createTables(Connection connection, Dialect dialect, String url) throws SQLException {
		boolean autoCommit = connection.getAutoCommit();
		connection.setAutoCommit(true);
		try {
			doCreateTables(connection, dialect, url);
		}
		finally {
			connection.setAutoCommit(autoCommit);
		}
	}

	private void doCreateTables(Connection connection, Dialect dialect, String url) {
		JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		jdbc.setQueryTimeout(TimedDataSource.STATEMENT_SECONDS);
		if (DatabaseSchema.isThere(jdbc, this.prefix)) {
			return;
		}
		boolean wanted = switch (this.initializeSchema) {
			case ALWAYS -> true;
			case EMBEDDED -> dialect.isEmbedded(url);
			case NEVER -> false;
		};
		boolean outdated = DatabaseSchema.isOutdated(jdbc, this.prefix);
		if (!wanted) {
			throw new SnapshotException("Snapshots cannot be kept in " + UrlCredentials.place(url) + ": "
					+ (outdated ? "an earlier development build has created the tables " : "there are no tables ")
					+ this.prefix + ", " + this.prefix + "_OBJECT and " + this.prefix
					+ "_VERSION. Set 'reflector.snapshot.jdbc.initialize-schema' to 'always', or "
					+ (outdated ? "drop them and " : "") + "create them with the statements in classpath:"
					+ dialect.schema(), null);
		}
		try {
			if (outdated) {
				logger.warn(
						"An earlier development build has created the tables {} in {}. They were renamed to {}, "
								+ "and reflectors start without a snapshot",
						this.prefix, UrlCredentials.place(url), DatabaseSchema.moveAside(jdbc, this.prefix));
			}
			DatabaseSchema.create(connection, dialect, this.prefix);
		}
		catch (RuntimeException ex) {
			// another process may have created the tables at the same time
			if (!DatabaseSchema.isThere(jdbc, this.prefix)) {
				throw ex;
			}
		}
	}

	@Override
	<R extends @Nullable Object> R doRead(Function<JdbcOperations, R> work) {
		return connected().transactions.read(work);
	}

	@Override
	<R> R doWrite(Function<JdbcOperations, R> work) {
		return connected().transactions.write(work);
	}

	@Override
	String advice(@Nullable SQLException failure) {
		return "";
	}

	@Override
	public void close() {
		Connected known = this.connected;
		if (known != null) {
			known.lock.close();
		}
	}

	/**
	 * A database to which a connection was made.
	 *
	 * @param place where the database is
	 * @param transactions reads and writes
	 * @param lock the lock for its writer
	 */
	private record Connected(String place, Transactions transactions, WriterLock lock) {
	}

}
