package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.snapshot.SnapshotException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread {@code reflector-NAME-snapshot-io}, which alone uses the store of a
 * reflector: one call after the other. A store may hang for as long as it likes, and only
 * this thread hangs with it. The others wait for a call as long as they want to, without
 * a lock. Where a reflector has a snapshot for each slot, those that are taken over are
 * read on {@code reflector-NAME-takeover-io}: other slots are stored in the meantime.
 * <p>
 * It is a daemon, exists while there is something to do, and is never interrupted: that
 * may damage the files of a store. When a reflector ends while a call hangs, the thread
 * is left behind, and closes the snapshot when the call has returned.
 */
final class StoreThread {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private static final long IDLE_MILLIS = 1000;

	private static final long SLICE_MILLIS = 20;

	private final String name;

	private final TimeSource time;

	private final ThreadPoolExecutor thread;

	/** The call in progress. */
	private volatile @Nullable Call<?> calling;

	/**
	 * When the call in progress has begun, or the store has last accepted a part of it.
	 */
	private volatile long progress;

	/** When the store has last accepted a part, in whichever call. */
	private volatile long accepted;

	/** When the store has last returned a part of what it reads. */
	private volatile long read;

	/**
	 * Creates the thread, which begins with the first call.
	 * @param name the name of the reflector
	 * @param suffix ends the name of the thread
	 * @param time source of time
	 */
	StoreThread(String name, String suffix, TimeSource time) {
		this.name = name;
		this.time = time;
		this.accepted = time.nanoTime();
		this.read = this.accepted;
		this.thread = new ThreadPoolExecutor(0, 1, IDLE_MILLIS, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(),
				(task) -> {
					Thread thread = new Thread(task, "reflector-" + name + "-" + suffix);
					thread.setDaemon(true);
					return thread;
				});
	}

	/**
	 * Has the store used, after the calls before.
	 * @param use uses it
	 * @return the call
	 */
	<R extends @Nullable Object> Call<R> call(Supplier<R> use) {
		Call<R> call = new Call<>(use);
		this.thread.execute(call);
		return call;
	}

	/**
	 * Whether the call in progress is no longer waited for: it must end after what it is
	 * doing.
	 */
	boolean isGivenUp() {
		Call<?> calling = this.calling;
		return calling != null && calling.result.isCancelled();
	}

	/** The store has accepted a part of what the call in progress stores. */
	void accepted() {
		this.accepted = this.time.nanoTime();
		this.progress = this.accepted;
	}

	/**
	 * The store has returned a part of what the call in progress reads. Announcing does
	 * not wait longer because of that.
	 */
	void read() {
		this.read = this.time.nanoTime();
	}

	long nanoTime() {
		return this.time.nanoTime();
	}

	/**
	 * Whether a call is in progress and nothing has come from the store for a while.
	 * @param bound how long
	 */
	boolean isSilent(Duration bound) {
		return this.calling != null && this.time.nanoTime() - this.progress >= bound.toNanos();
	}

	/**
	 * The same, or the store has accepted nothing in any call since a time, and that was
	 * a while ago.
	 * @param since the time
	 * @param bound how long
	 */
	boolean isSilent(long since, Duration bound) {
		long now = this.time.nanoTime();
		long longest = bound.toNanos();
		return (this.calling != null && now - this.progress >= longest)
				|| (now - since >= longest && now - this.accepted >= longest);
	}

	/**
	 * Nothing more will come: the thread need not be kept for it. Waits until what came
	 * before is done, unless the store does not answer.
	 * @param bound how long it may do so
	 */
	void end(Duration bound) {
		this.thread.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
		try {
			call(() -> true).await(() -> isSilent(bound));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * A use of the store.
	 *
	 * @param <R> the type of its result
	 */
	final class Call<R extends @Nullable Object> implements Runnable {

		private final Supplier<R> use;

		private final CompletableFuture<R> result = new CompletableFuture<>();

		private Call(Supplier<R> use) {
			this.use = use;
		}

		@Override
		public void run() {
			if (this.result.isDone()) {
				// given up before it has begun
				return;
			}
			StoreThread.this.progress = StoreThread.this.time.nanoTime();
			StoreThread.this.calling = this;
			try {
				this.result.complete(this.use.get());
			}
			catch (Throwable ex) {
				if (!this.result.completeExceptionally(ex) && !(ex instanceof SnapshotException)) {
					logger.atError()
						.addKeyValue("reflector", StoreThread.this.name)
						.setCause(ex)
						.log("Reflector '{}': a use of its snapshot that was given up has failed",
								StoreThread.this.name);
				}
			}
			finally {
				StoreThread.this.calling = null;
			}
		}

		/**
		 * Waits until it has returned or failed.
		 * @param enough whether to wait no longer, asked again and again
		 * @return whether it has returned or failed
		 * @throws InterruptedException when the thread is interrupted
		 */
		boolean await(BooleanSupplier enough) throws InterruptedException {
			while (true) {
				try {
					this.result.get(SLICE_MILLIS, TimeUnit.MILLISECONDS);
					return true;
				}
				catch (ExecutionException ex) {
					return true;
				}
				catch (TimeoutException ex) {
					if (enough.getAsBoolean()) {
						return false;
					}
				}
			}
		}

		/**
		 * Waits no longer. It no longer begins if it has not; otherwise, what it does
		 * counts, and its result does not.
		 * @return whether it had neither returned nor failed
		 */
		boolean giveUp() {
			return this.result.cancel(false);
		}

		/**
		 * The result of a call that has returned.
		 * @throws SnapshotException when it has failed because of the store
		 */
		R result() {
			try {
				return this.result.getNow(null);
			}
			catch (CompletionException ex) {
				if (ex.getCause() instanceof Error error) {
					throw error;
				}
				throw (RuntimeException) ex.getCause();
			}
		}

		/**
		 * Whether its thread is busy, and the store has neither accepted nor returned
		 * anything for a while.
		 * @param bound how long
		 */
		boolean isUnanswered(Duration bound) {
			return isSilent(bound) && StoreThread.this.time.nanoTime() - StoreThread.this.read >= bound.toNanos();
		}

		/** Completes when it has returned, failed, or was given up. */
		CompletableFuture<Void> done() {
			return this.result.handle((result, failure) -> null);
		}

	}

}
