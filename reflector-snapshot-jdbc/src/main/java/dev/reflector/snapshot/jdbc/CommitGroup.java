package dev.reflector.snapshot.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;

import dev.reflector.cache.snapshot.SnapshotException;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * Group commit: one thread at a time writes its own commit and the commits of all waiting
 * threads in one transaction. In this way, several commits wait for the disk only once.
 * If a transaction with several commits fails, each commit is tried alone.
 */
final class CommitGroup {

	private final ConcurrentLinkedQueue<Commit<?>> waiting = new ConcurrentLinkedQueue<>();

	private final Lock turn;

	CommitGroup(Lock turn) {
		this.turn = turn;
	}

	/**
	 * Writes a commit, or waits until another thread has written it. Returns when the
	 * commit is durable.
	 * @param transaction runs work in one transaction
	 */
	<R> R commit(Function<JdbcOperations, R> work, Transaction transaction) throws SQLException {
		Commit<R> commit = new Commit<>(work);
		this.waiting.add(commit);
		this.turn.lock();
		try {
			if (!commit.done) {
				List<Commit<?>> group = new ArrayList<>();
				for (Commit<?> next = this.waiting.poll(); next != null; next = this.waiting.poll()) {
					group.add(next);
				}
				write(group, transaction);
			}
		}
		finally {
			this.turn.unlock();
		}
		return commit.result();
	}

	private static void write(List<Commit<?>> group, Transaction transaction) {
		Throwable failure = null;
		try {
			transaction.run((jdbc) -> {
				group.forEach((commit) -> commit.run(jdbc));
				return true;
			});
		}
		catch (RuntimeException | SQLException | Error ex) {
			failure = ex;
		}
		for (Commit<?> commit : group) {
			if (failure != null && group.size() > 1) {
				write(List.of(commit), transaction);
			}
			else {
				commit.done = true;
				commit.failure = (failure != null) ? failure : commit.failure;
			}
		}
	}

	/** Runs work in one transaction, or throws an exception. */
	interface Transaction {

		void run(Function<JdbcOperations, Boolean> work) throws SQLException;

	}

	/**
	 * A commit in a group. The lock guards the fields of the commit. The thread that
	 * waits for the commit reads them after it has released the lock.
	 */
	private static final class Commit<R> {

		private final Function<JdbcOperations, R> work;

		private @Nullable R result;

		private @Nullable Throwable failure;

		private boolean done;

		private Commit(Function<JdbcOperations, R> work) {
			this.work = work;
		}

		/**
		 * Runs the work of this commit. If the work is refused with a
		 * {@link SnapshotException}, it has written nothing, and the other commits of the
		 * group continue.
		 */
		private void run(JdbcOperations jdbc) {
			this.failure = null;
			try {
				this.result = this.work.apply(jdbc);
			}
			catch (SnapshotException ex) {
				this.failure = ex;
			}
		}

		private R result() throws SQLException {
			if (this.failure instanceof SQLException ex) {
				throw ex;
			}
			if (this.failure instanceof RuntimeException ex) {
				throw ex;
			}
			if (this.failure instanceof Error ex) {
				throw ex;
			}
			return Objects.requireNonNull(this.result);
		}

	}

}
