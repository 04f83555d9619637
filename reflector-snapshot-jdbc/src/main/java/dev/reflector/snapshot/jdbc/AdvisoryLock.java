package dev.reflector.snapshot.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * An advisory lock of a session of PostgreSQL for each reflector. The server asks every
 * few seconds whether the other end of the session is still there, such that a machine
 * that has vanished does not keep the lock for hours.
 */
final class AdvisoryLock extends WriterLock {

	private static final String KEY = "(hashtextextended(current_schema() || '/' || ?::text, 0))";

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
	void restore(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.setQueryTimeout(TimedDataSource.STATEMENT_SECONDS);
			statement.execute("RESET tcp_keepalives_idle");
			statement.execute("RESET tcp_keepalives_interval");
			statement.execute("RESET tcp_keepalives_count");
		}
		this.dataSource.restore(connection);
	}

	private boolean call(Connection connection, String function, String reflector) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement("SELECT " + function + KEY)) {
			statement.setQueryTimeout(TimedDataSource.STATEMENT_SECONDS);
			statement.setString(1, this.prefix + "/" + reflector);
			try (ResultSet result = statement.executeQuery()) {
				return result.next() && result.getBoolean(1);
			}
		}
	}

}
