package dev.reflector.snapshot.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds a PostgreSQL advisory lock for each reflector, all in one session. The server
 * checks every few seconds whether the client of the session is still connected, so that
 * a machine that has crashed does not keep the lock for hours. The session is always
 * idle, so the server must not end idle sessions.
 */
class AdvisoryLock extends WriterLock {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	/** The SQL state for a session that the server has ended because it was idle. */
	private static final String IDLE_SESSION_TIMEOUT = "57P05";

	/**
	 * The statement that sets the timeout for idle sessions, if the server has this
	 * setting. PostgreSQL has the setting since release 14.
	 */
	private static final String SET_TIMEOUT = "SELECT set_config(name, %s, false) FROM pg_settings "
			+ "WHERE name = 'idle_session_timeout'";

	/**
	 * The key of a lock: the table and the reflector. Sessions may name the same table in
	 * different ways, with and without its schema.
	 */
	private static final String KEY = "(hashtextextended(?::text::regclass::oid::text || '/' || ?::text, 0))";

	private final TimedDataSource dataSource;

	private final String prefix;

	AdvisoryLock(TimedDataSource dataSource, String prefix) {
		this.dataSource = dataSource;
		this.prefix = prefix;
	}

	@Override
	Connection connect() throws SQLException {
		Connection connection = this.dataSource.getConnection();
		try (Statement statement = connection.createStatement()) {
			connection.setAutoCommit(true);
			statement.setQueryTimeout(TimedDataSource.STATEMENT_SECONDS);
			statement.execute("SET tcp_keepalives_idle = 10");
			statement.execute("SET tcp_keepalives_interval = 5");
			statement.execute("SET tcp_keepalives_count = 3");
			statement.execute(SET_TIMEOUT.formatted("'0'"));
			return connection;
		}
		catch (SQLException ex) {
			this.dataSource.restore(connection);
			connection.close();
			throw ex;
		}
	}

	@Override
	void ended(Connection connection) {
		this.dataSource.restore(connection);
	}

	@Override
	boolean lock(Connection connection, String reflector, boolean others) throws SQLException {
		return call(connection, "pg_try_advisory_lock", reflector);
	}

	@Override
	void unlock(Connection connection, String reflector) throws SQLException {
		call(connection, "pg_advisory_unlock", reflector);
	}

	@Override
	boolean isAlive(Connection connection) throws SQLException {
		int timeout = connection.getNetworkTimeout();
		connection.setNetworkTimeout(Runnable::run, SECONDS_TO_ANSWER * 1000);
		try (Statement statement = connection.createStatement()) {
			statement.setQueryTimeout(SECONDS_TO_ANSWER);
			statement.execute("SELECT 1");
			connection.setNetworkTimeout(Runnable::run, timeout);
			return true;
		}
		catch (SQLException ex) {
			if (IDLE_SESSION_TIMEOUT.equals(ex.getSQLState())) {
				logger.warn("PostgreSQL has ended a session because of 'idle_session_timeout'. The session kept "
						+ "other processes from writing the snapshots of reflectors ({}), so another process "
						+ "may write them now. Set 'idle_session_timeout' to 0 for this user: a pool or "
						+ "a proxy overrides what this library sets", this.prefix);
			}
			return false;
		}
	}

	@Override
	void restore(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.setQueryTimeout(TimedDataSource.STATEMENT_SECONDS);
			statement.execute("RESET tcp_keepalives_idle");
			statement.execute("RESET tcp_keepalives_interval");
			statement.execute("RESET tcp_keepalives_count");
			statement.execute(SET_TIMEOUT.formatted("reset_val"));
		}
		this.dataSource.restore(connection);
	}

	private boolean call(Connection connection, String function, String reflector) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement("SELECT " + function + KEY)) {
			statement.setQueryTimeout(TimedDataSource.STATEMENT_SECONDS);
			statement.setString(1, this.prefix);
			statement.setString(2, reflector);
			try (ResultSet result = statement.executeQuery()) {
				return result.next() && result.getBoolean(1);
			}
		}
	}

}
