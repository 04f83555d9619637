package dev.reflector.snapshot.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SmartDataSource;

/**
 * Connections that do not wait for ever for a server that does not answer: a statement
 * that takes too long is canceled, but that needs the network too. They go back to the
 * pool as they were.
 */
final class TimedDataSource extends DelegatingDataSource implements SmartDataSource {

	/** For each statement. */
	static final int STATEMENT_SECONDS = 30;

	/** Longer, so that a server that answers can cancel the statement. */
	private static final int NETWORK_MILLIS = (STATEMENT_SECONDS + 5) * 1000;

	/** The time-outs that the connections in use had before. */
	private final Map<Connection, Integer> before = Collections.synchronizedMap(new IdentityHashMap<>());

	TimedDataSource(DataSource dataSource) {
		super(dataSource);
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		try {
			int timeout = connection.getNetworkTimeout();
			if (timeout == 0 || timeout > NETWORK_MILLIS) {
				connection.setNetworkTimeout(Runnable::run, NETWORK_MILLIS);
				this.before.put(connection, timeout);
			}
		}
		catch (SQLFeatureNotSupportedException | AbstractMethodError ex) {
			// a driver without a network
		}
		catch (SQLException ex) {
			connection.close();
			throw ex;
		}
		return connection;
	}

	@Override
	public boolean shouldClose(Connection connection) {
		restore(connection);
		return true;
	}

	/** Gives a connection the time-out that it had before. */
	void restore(Connection connection) {
		Integer timeout = this.before.remove(connection);
		try {
			if (timeout != null && !connection.isClosed()) {
				connection.setNetworkTimeout(Runnable::run, timeout);
			}
		}
		catch (SQLException ex) {
			// it is broken, and its pool will notice
		}
	}

}
