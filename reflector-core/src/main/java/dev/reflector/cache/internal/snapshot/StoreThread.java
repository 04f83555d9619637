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
 * The thread {@code reflector-NAME-snapshot-io}, which makes all calls to the store of a
 * reflector, one after the other. If the store hangs, only this thread hangs. Other
 * threads wait for a call as long as they choose, and hold no lock while they wait. If a
 * reflector has a snapshot for each slot, a second thread,
 * {@code reflector-NAME-takeover-io}, reads the snapshots of slots that are taken over,
 * so that other slots can be stored at the same time.
 * <p>
 * This is a daemon thread, and exists only while there are calls. It is never
 * interrupted, because an interrupt may damage the files of a store. If a reflector ends
 * while a call hangs, the thread continues to exist, and closes the snapshot when the
 * call has returned.
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
	 * The time at which the call in progress began, or at which the store last accepted a
	 * part of the data of this call.
	 */
	private volatile long progress;

	/** The time at which the store last accepted a part of the data of any call. */
	private volatile long accepted;

	/** The time at which the store last returned a part of the data that a call reads. */
	private volatile long read;

	/**
	 * Creates the thread. It starts with the first call.
	 * @param name the name of the reflector
	 * @param suffix the end of the thread's name
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
	 * Queues a call to the store, after all earlier calls.
	 * @param use uses the store; runs on this thread
	 * @return the queued call
	 */
	<R extends @Nullable Object> Call<R> call(Supplier<R> use) {
		Call<R> call = new Call<>(use);
		this.thread.execute(call);
		return call;
	}

	/**
	 * Whether the call in progress was given up, so that it must not begin another
	 * commit.
	 */
	boolean isGivenUp() {
		Call<?> calling = this.calling;
		return calling != null && calling.result.isCancelled();
	}

	/** Notes that the store has accepted a part of the data of the call in progress. */
	void accepted() {
		this.accepted = this.time.nanoTime();
		this.progress = this.accepted;
	}

	/**
	 * Notes that the store has returned a part of the data that the call in progress
	 * reads. This does not extend the deadline of announcements.
	 */
	void read() {
		this.read = this.time.nanoTime();
	}

	long nanoTime() {
		return this.time.nanoTime();
	}

	/**
	 * Whether a call is in progress, and the store has accepted nothing from it for a
	 * given time.
	 * @param bound the time
	 */
	boolean isSilent(Duration bound) {
		return this.calling != null && this.time.nanoTime() - this.progress >= TimeUnit.NANOSECONDS.convert(bound);
	}

	/**
	 * Whether {@link #isSilent(Duration)} is true, or the store has accepted nothing from
	 * any call for the given time. The time is counted from the given moment, or from the
	 * last data that the store has accepted after that moment.
	 * @param since the moment, in nanoseconds
	 * @param bound the time
	 */
	boolean isSilent(long since, Duration bound) {
		long now = this.time.nanoTime();
		long longest = TimeUnit.NANOSECONDS.convert(bound);
		return (this.calling != null && now - this.progress >= longest)
				|| (now - since >= longest && now - this.accepted >= longest);
	}

	/**
	 * Whether a call is in progress, and the store has neither accepted nor returned
	 * anything for a given time.
	 * @param bound the time
	 */
	boolean isUnanswered(Duration bound) {
		return isSilent(bound) && this.time.nanoTime() - this.read >= TimeUnit.NANOSECONDS.convert(bound);
	}

	/**
	 * Ends the thread, because no more calls will follow. Waits until all earlier calls
	 * are done, unless the store does not respond.
	 * @param bound how long to wait while the store accepts nothing
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
	 * A call to the store.
	 *
	 * @param <R> the type of the result
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
				// the call was given up before it began
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
						.log("Reflector '{}': a call to the store of its snapshot has failed, after the "
								+ "reflector had stopped waiting for it", StoreThread.this.name);
				}
			}
			finally {
				StoreThread.this.calling = null;
			}
		}

		/**
		 * Waits until the call has returned or failed.
		 * @param enough returns whether to stop waiting; checked repeatedly
		 * @return whether the call has returned or failed
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
		 * Gives up the call. If it has not begun, it is never made. If it is in progress,
		 * it may still change the store, but its result is ignored.
		 * @return {@code false} if the call had already returned or failed
		 */
		boolean giveUp() {
			return this.result.cancel(false);
		}

		/**
		 * Returns the result of a completed call.
		 * @throws SnapshotException if the call has failed because of the store
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

		/** Same as {@link StoreThread#isUnanswered}. */
		boolean isUnanswered(Duration bound) {
			return StoreThread.this.isUnanswered(bound);
		}

		/**
		 * Returns a future that completes when the call has returned, has failed, or was
		 * given up.
		 */
		CompletableFuture<Void> done() {
			return this.result.handle((result, failure) -> null);
		}

	}

}
