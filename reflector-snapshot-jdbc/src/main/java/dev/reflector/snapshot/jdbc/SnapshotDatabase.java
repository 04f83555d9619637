package dev.reflector.snapshot.jdbc;

import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.function.Function;

import dev.reflector.PrintableText;
import dev.reflector.cache.snapshot.SnapshotCorruptException;
import dev.reflector.cache.snapshot.SnapshotException;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.transaction.TransactionException;

/**
 * A database for snapshots: connects to it, and locks it for one writer.
 */
abstract class SnapshotDatabase implements AutoCloseable {

	private volatile @Nullable SnapshotSql sql;

	/**
	 * The {@link #identity()} of the database that was found to be damaged, or
	 * {@code null} if there is none.
	 */
	private volatile @Nullable Object damaged;

	/** Returns where the database is, without credentials. */
	abstract String location();

	/** Returns whether only this host can read the database. */
	abstract boolean isLocal();

	/**
	 * Returns the dialect and the statements. Call this method only after
	 * {@link #open()}.
	 */
	final SnapshotSql sql() {
		SnapshotSql known = this.sql;
		if (known == null) {
			throw new IllegalStateException("open() comes first");
		}
		return known;
	}

	/** Sets the statements, once the dialect of the database is known. */
	final void use(SnapshotSql sql) {
		this.sql = sql;
	}

	/**
	 * Connects, and creates missing tables. Does nothing if the database is already open.
	 */
	final void open() {
		attempt("opened", () -> {
			connect();
			return true;
		});
	}

	/** Runs work that reads, in a transaction that sees all tables as of one moment. */
	final <R extends @Nullable Object> R read(Function<JdbcOperations, R> work) {
		return attempt("read", () -> doRead(work));
	}

	/**
	 * Runs work that writes, in a transaction. If the work throws a
	 * {@link SnapshotException}, it must not have written anything before.
	 */
	final <R> R write(Function<JdbcOperations, R> work) {
		return attempt("written", () -> doWrite(work));
	}

	final boolean hold(String reflector, Object owner) {
		return attempt("locked", () -> lock().hold(reflector, owner));
	}

	final void release(String reflector, Object owner) {
		lock().release(reflector, owner);
	}

	/**
	 * If the database was found to be damaged, moves it away as a whole and opens an
	 * empty database. The caller must hold the lock.
	 * @return the new place of the damaged database, or {@code null} if nothing was moved
	 */
	final @Nullable String moveAsideIfDamaged() {
		Object found = this.damaged;
		this.damaged = null;
		// a slow reader may find damage in a database that was already moved away
		return (found != null && found.equals(identity()))
				? this.<@Nullable String>attempt("moved aside", () -> moveAside()) : null;
	}

	abstract void connect() throws SQLException;

	abstract <R extends @Nullable Object> R doRead(Function<JdbcOperations, R> work) throws SQLException;

	abstract <R> R doWrite(Function<JdbcOperations, R> work) throws SQLException;

	abstract WriterLock lock();

	@Nullable String moveAside() throws SQLException {
		return null;
	}

	/**
	 * Returns a value that distinguishes the database from a later one in its place, or
	 * {@code null} if there is no database.
	 */
	@Nullable Object identity() {
		return this;
	}

	/** Returns advice on how to solve a failure, or an empty string if there is none. */
	abstract String advice(@Nullable SQLException failure);

	@Override
	public abstract void close();

	private <R extends @Nullable Object> R attempt(String what, Attempt<R> attempt) {
		Object used = identity();
		try {
			return attempt.run();
		}
		catch (DataAccessException | TransactionException | SQLException | UncheckedIOException ex) {
			throw failure(what, used, ex);
		}
		catch (RuntimeException ex) {
			// a pool may wrap the exception of its driver in one that quotes the URL
			throw (sqlException(ex) != null) ? failure(what, used, ex) : ex;
		}
	}

	private SnapshotException failure(String what, @Nullable Object used, Exception ex) {
		SQLException sql = sqlException(ex);
		Throwable last = ex;
		while (last.getCause() != null) {
			last = last.getCause();
		}
		// only the first line is used, because later lines may quote data
		String reason = ((sql != null) ? String.valueOf(sql.getMessage()) : last.toString()).lines()
			.findFirst()
			.orElse("");
		String message = "Snapshots in " + location() + " cannot be " + what + ": "
				+ PrintableText.of(UrlCredentials.removed(reason)) + advice(sql);
		// the exception has no cause, because drivers put values, even objects, and
		// credentials into messages
		SnapshotSql known = this.sql;
		if (sql != null && known != null && known.dialect.isDamage(sql)) {
			this.damaged = used;
			return new SnapshotCorruptException(message, null);
		}
		return new SnapshotException(message, null);
	}

	private static @Nullable SQLException sqlException(Throwable failure) {
		SQLException sql = null;
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			sql = (cause instanceof SQLException found) ? found : sql;
		}
		return sql;
	}

	/** A call of the database that may fail. */
	private interface Attempt<R extends @Nullable Object> {

		R run() throws SQLException;

	}

}
