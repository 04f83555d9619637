package dev.reflector.snapshot.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A lock on a row of H2, held by an open transaction. There is one lock for all
 * reflectors, because a transaction cannot release a single row.
 */
final class RowLock extends WriterLock {

	private final TimedDataSource dataSource;

	private final String select;

	RowLock(TimedDataSource dataSource, String prefix) {
		this.dataSource = dataSource;
		this.select = "SELECT ID FROM " + prefix + "_LOCK WHERE ID = 1 FOR UPDATE SKIP LOCKED";
	}

	@Override
	Connection connect() throws SQLException {
		Connection connection = this.dataSource.getConnection();
		try {
			connection.setAutoCommit(false);
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
		try (Statement statement = connection.createStatement()) {
			statement.setQueryTimeout(TimedDataSource.STATEMENT_SECONDS);
			try (ResultSet row = statement.executeQuery(this.select)) {
				return row.next();
			}
		}
	}

	@Override
	void unlock(Connection connection, String reflector) {
		// the lock is released when the transaction ends
	}

	@Override
	void restore(Connection connection) throws SQLException {
		connection.rollback();
		connection.setAutoCommit(true);
		this.dataSource.restore(connection);
	}

}
