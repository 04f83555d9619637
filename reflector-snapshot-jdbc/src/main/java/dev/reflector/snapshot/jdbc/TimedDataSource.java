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
 * A DataSource whose connections do not wait forever for a server. A statement that takes
 * too long is canceled, but canceling needs the network, so the network has a time-out,
 * too. Before a connection returns to its pool, its former time-out is restored.
 */
final class TimedDataSource extends DelegatingDataSource implements SmartDataSource {

	/** Time-out of each statement. */
	static final int STATEMENT_SECONDS = 30;

	/**
	 * Time-out of the network. It is longer than the time-out of statements, so that a
	 * server that answers can cancel the statement first.
	 */
	private static final int NETWORK_MILLIS = (STATEMENT_SECONDS + 5) * 1000;

	/** The original network time-outs of the connections in use. */
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
			// the driver has no network time-out
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

	/** Restores the original network time-out of a connection. */
	void restore(Connection connection) {
		Integer timeout = this.before.remove(connection);
		try {
			if (timeout != null && !connection.isClosed()) {
				connection.setNetworkTimeout(Runnable::run, timeout);
			}
		}
		catch (SQLException ex) {
			// the connection is broken; the pool discards it
		}
	}

}
