package dev.reflector.snapshot.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Says who may write, among processes and among the open snapshots of this one. It is
 * held by a connection of its own, which the database notices the end of, so no clock
 * decides anything. One connection serves all snapshots of a store.
 */
abstract class WriterLock {

	static final int SECONDS_TO_ANSWER = 5;

	private final Map<String, Object> owners = new HashMap<>();

	private final Set<String> locked = new HashSet<>();

	private @Nullable Connection connection;

	/** Opens the connection that is to hold the lock. */
	abstract Connection connect() throws SQLException;

	/**
	 * Takes the lock, without waiting.
	 * @param others whether the connection holds a lock already
	 * @return whether it is held now
	 */
	abstract boolean lock(Connection connection, String reflector, boolean others) throws SQLException;

	/** Gives back one lock of several. */
	abstract void unlock(Connection connection, String reflector) throws SQLException;

	/** Whether a connection still holds what it has locked. */
	boolean isAlive(Connection connection) throws SQLException {
		return connection.isValid(SECONDS_TO_ANSWER);
	}

	/** Undoes what {@link #connect()} has set, when no lock is held any more. */
	abstract void restore(Connection connection) throws SQLException;

	/**
	 * Takes the lock of a reflector for an owner, or sees whether it still has it. Opens
	 * another connection when that before has broken.
	 * @return whether the owner has it now
	 */
	final synchronized boolean hold(String reflector, Object owner) throws SQLException {
		if (this.owners.getOrDefault(reflector, owner) != owner) {
			return false;
		}
		boolean held = false;
		try {
			Connection current = connection();
			held = this.locked.contains(reflector) || lock(current, reflector, !this.locked.isEmpty());
			if (held) {
				this.locked.add(reflector);
				this.owners.put(reflector, owner);
			}
			else {
				this.owners.remove(reflector);
				closeIfUnused();
			}
		}
		catch (SQLException ex) {
			this.owners.remove(reflector);
			abandon();
			throw ex;
		}
		return held;
	}

	private Connection connection() throws SQLException {
		if (this.connection != null && !isAlive(this.connection)) {
			abandon();
		}
		Connection current = this.connection;
		if (current == null) {
			current = connect();
			this.connection = current;
		}
		return current;
	}

	final synchronized void release(String reflector, Object owner) {
		if (!this.owners.remove(reflector, owner) || this.connection == null || !this.locked.remove(reflector)) {
			return;
		}
		try {
			unlock(this.connection, reflector);
			closeIfUnused();
		}
		catch (SQLException ex) {
			abandon();
		}
	}

	final synchronized void close() {
		this.owners.clear();
		abandon();
	}

	private void closeIfUnused() throws SQLException {
		Connection current = this.connection;
		if (current != null && this.locked.isEmpty()) {
			restore(current);
			current.close();
			this.connection = null;
		}
	}

	/**
	 * Ends the connection itself: if it only went back into a pool, it would keep its
	 * locks there.
	 */
	private void abandon() {
		Connection current = this.connection;
		this.connection = null;
		this.locked.clear();
		if (current != null) {
			try {
				current.abort(Runnable::run);
				current.close();
			}
			catch (SQLException ex) {
				// it has ended, then
			}
		}
	}

}
