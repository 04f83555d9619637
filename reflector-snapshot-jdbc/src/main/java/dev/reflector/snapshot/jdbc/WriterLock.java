package dev.reflector.snapshot.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * The lock that decides which process, and which open snapshot of this process, may
 * write. One separate connection holds the locks for all snapshots of a store. The
 * database notices when that connection ends, so the locks do not depend on clocks.
 */
abstract class WriterLock {

	static final int SECONDS_TO_ANSWER = 5;

	/** How long {@link #close()} waits for a call that may hang. */
	static final long END_MILLIS = 1000;

	private final ReentrantLock turn = new ReentrantLock();

	private final Map<String, Object> owners = new HashMap<>();

	private final Set<String> locked = new HashSet<>();

	private volatile @Nullable Connection connection;

	/** Opens the connection that will hold the lock. */
	abstract Connection connect() throws SQLException;

	/**
	 * Tries to take the lock of a reflector, without waiting.
	 * @param others whether the connection already holds locks of other reflectors
	 * @return whether the connection holds the lock now
	 */
	abstract boolean lock(Connection connection, String reflector, boolean others) throws SQLException;

	/** Releases one of several locks. */
	abstract void unlock(Connection connection, String reflector) throws SQLException;

	/** Whether a connection still holds its locks. */
	boolean isAlive(Connection connection) throws SQLException {
		return connection.isValid(SECONDS_TO_ANSWER);
	}

	/**
	 * Restores the settings that {@link #connect()} has changed. Called when the
	 * connection holds no lock any more.
	 */
	abstract void restore(Connection connection) throws SQLException;

	/** Called after a connection that held locks was ended. */
	void ended(Connection connection) {
	}

	/**
	 * Takes the lock of a reflector for an owner, or checks whether the owner still has
	 * it. If the connection has broken, opens a new one.
	 * @return whether the owner has the lock now
	 */
	final boolean hold(String reflector, Object owner) throws SQLException {
		this.turn.lock();
		try {
			return holdInTurn(reflector, owner);
		}
		finally {
			this.turn.unlock();
		}
	}

	private boolean holdInTurn(String reflector, Object owner) throws SQLException {
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
		Connection current = this.connection;
		if (current != null && !isAlive(current)) {
			abandon();
			current = null;
		}
		if (current == null) {
			current = connect();
			this.connection = current;
		}
		return current;
	}

	final void release(String reflector, Object owner) {
		this.turn.lock();
		try {
			Connection current = this.connection;
			if (this.owners.remove(reflector, owner) && current != null && this.locked.remove(reflector)) {
				unlock(current, reflector);
				closeIfUnused();
			}
		}
		catch (SQLException ex) {
			abandon();
		}
		finally {
			this.turn.unlock();
		}
	}

	/**
	 * Gives up all locks. If a call of the database hangs, ends the connection, so that
	 * the call fails and the locks are released.
	 */
	final void close() {
		if (!tryFor(this.turn)) {
			Connection current = this.connection;
			if (current != null) {
				end(current);
			}
			return;
		}
		try {
			this.owners.clear();
			abandon();
		}
		finally {
			this.turn.unlock();
		}
	}

	static boolean tryFor(ReentrantLock turn) {
		try {
			return turn.tryLock(END_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return turn.tryLock();
		}
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
	 * Ends the connection physically. If it only returned to a pool, it would keep its
	 * locks there.
	 */
	private void abandon() {
		Connection current = this.connection;
		this.connection = null;
		this.locked.clear();
		if (current != null) {
			end(current);
		}
	}

	private void end(Connection connection) {
		try {
			connection.abort(Runnable::run);
			connection.close();
		}
		catch (SQLException | RuntimeException ex) {
			// the connection was already closed. If the call that hangs closes it at the
			// same time, a pool may throw any exception
		}
		ended(connection);
	}

}
