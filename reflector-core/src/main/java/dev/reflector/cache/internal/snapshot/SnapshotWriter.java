package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.reflector.PrintableText;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotFencedException;
import dev.reflector.cache.snapshot.SnapshotGapException;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Writes what all handlers have completed to the store, on a thread of its own while the
 * reflector runs. The comment of {@link DurableMirror} says what this promises.
 * <p>
 * <b>Completed.</b> A mark goes from the loop through the queue to the mirror. When it
 * gets there, the writer of the mirror takes the present map of objects, which holds the
 * loop's namespace as it was at the loop's version. When the changes up to there are in
 * the queues of the handlers, a second mark goes into each of these queues. When every
 * handler has returned from all changes before its mark, and the stage of its
 * {@code completed()} is done, the state is completed.
 * <p>
 * <b>Committed.</b> The difference from the state stored before is written together with
 * the version as the cursor, in one commit. A difference of more than 1000 objects is
 * written in parts, all but the last without the cursor of the namespace: until then,
 * what is stored is of no single version, and a start after a crash lists and compares.
 * <p>
 * Objects that {@link WriteAhead} has announced are stored as completed, or removed when
 * they are gone. Those that it announces after the first mark stay announced.
 * <p>
 * <b>Retries.</b> After a failed commit, the writer tries again every two seconds. It
 * first claims the snapshot and reads which versions are stored: the failed commit may
 * have arrived, or another process may have written. While another process is the writer,
 * it tries to claim in the same way. A change that was lost on its way into the mirror, a
 * handler that was removed, has stopped or whose stage has failed, or a queue by key that
 * is not empty only make it try again later.
 * <p>
 * <b>Threads.</b> {@link #flush()} and {@link #wake()} may be called by any thread and
 * use the monitor of this object. Everything else belongs to the thread of the writer. A
 * stop of the reflector has the writer try once more before the handlers end, for
 * {@code drainTimeout} at most.
 *
 * @param <T> the type of the objects
 */
public final class SnapshotWriter<T> implements Runnable {

	/**
	 * The pause after commits is at least this many times as long as the commits took. So
	 * under load they take about a sixteenth of one processor, and several changes of an
	 * object become one.
	 */
	private static final int PAUSE_FACTOR = 15;

	/** The longest pause after a commit, unless the commit interval is longer. */
	private static final long MOST_PAUSE_MILLIS = 8000;

	private static final long RETRY_MILLIS = 2000;

	private static final long RETRY_SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/**
	 * How often a takeover is put off until the mirror has reached what is stored.
	 * Versions may have gone back for good.
	 */
	private static final int MOST_WAITS = 15;

	private static final long SLICE_MILLIS = 100;

	private final DurableMirror<T> mirror;

	private final CompletedStates<T> states;

	private final OpenSnapshot<T> snapshot;

	private final StoredState<T> stored;

	private final int scopes;

	private final ReflectorObserver observer;

	private final TimeSource time;

	private final SnapshotCommits<T> committing;

	/** Guarded by this object, like the next two. */
	private @Nullable CompletableFuture<Void> flush;

	private boolean woken;

	private boolean ended;

	private boolean failing;

	/** How often a takeover was put off in a row. */
	private int waits;

	/** How long the last commits of all namespaces took together. */
	private Duration commits = Duration.ZERO;

	/**
	 * Creates the writer of a run.
	 * @param mirror the snapshot
	 * @param states the run
	 * @param scopes how many namespaces are followed on their own, 1 for all
	 * @param observer is told of commits
	 * @param time source of time
	 */
	public SnapshotWriter(DurableMirror<T> mirror, CompletedStates<T> states, int scopes, ReflectorObserver observer,
			TimeSource time) {
		this.mirror = mirror;
		this.states = states;
		this.snapshot = mirror.open();
		this.stored = mirror.stored();
		this.scopes = scopes;
		this.observer = observer;
		this.time = time;
		this.committing = new SnapshotCommits<>(mirror, observer, time);
	}

	@Override
	public void run() {
		try {
			while (!this.states.stopping()) {
				CompletableFuture<Void> flush = takeFlush();
				Outcome outcome;
				try {
					outcome = work();
				}
				finally {
					if (flush != null) {
						flush.complete(null);
					}
				}
				pause(outcome);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			CompletableFuture<Void> flush = end();
			if (flush != null) {
				flush.complete(null);
			}
		}
	}

	/**
	 * Has what is completed by now written soon.
	 * @return completes when that has been tried, or the thread of the writer has ended
	 */
	public synchronized CompletableFuture<Void> flush() {
		if (this.ended) {
			return CompletableFuture.completedFuture(null);
		}
		CompletableFuture<Void> present = this.flush;
		if (present == null) {
			present = new CompletableFuture<>();
			this.flush = present;
		}
		wake();
		return present;
	}

	/** Ends a pause: there may be something to write, or the reflector ends. */
	public synchronized void wake() {
		this.woken = true;
		notifyAll();
	}

	private synchronized @Nullable CompletableFuture<Void> end() {
		this.ended = true;
		return takeFlush();
	}

	private synchronized @Nullable CompletableFuture<Void> takeFlush() {
		CompletableFuture<Void> flush = this.flush;
		this.flush = null;
		return flush;
	}

	/**
	 * How long to wait after commits: after long ones longer, so that they do not take
	 * much of a processor.
	 * @param interval the commit interval
	 * @param commits how long they took together
	 * @return the pause in milliseconds
	 */
	public static long pauseMillis(Duration interval, Duration commits) {
		return Math.max(interval.toMillis(), Math.min(MOST_PAUSE_MILLIS, commits.toMillis() * PAUSE_FACTOR));
	}

	/**
	 * Waits for the commit interval, or longer after long commits, and then until there
	 * is something to write.
	 */
	private void pause(Outcome outcome) throws InterruptedException {
		synchronized (this) {
			switch (outcome) {
				case STALLED -> awaitRetry();
				case WRITTEN -> awaitInterval();
				case NOTHING_NEW -> {
				}
			}
			while (isIdle() && !this.woken && outcome != Outcome.STALLED) {
				wait();
			}
			this.woken = false;
		}
	}

	private void awaitRetry() throws InterruptedException {
		long until = this.time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
		while (isIdle() && this.time.nanoTime() - until < 0) {
			TimeUnit.NANOSECONDS.timedWait(this, RETRY_SLICE_NANOS);
		}
	}

	private void awaitInterval() throws InterruptedException {
		long millis = pauseMillis(this.snapshot.options().commitInterval(), this.commits);
		long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		long left;
		while (isIdle() && (left = until - System.nanoTime()) > 0) {
			TimeUnit.NANOSECONDS.timedWait(this, left);
		}
	}

	private boolean isIdle() {
		return this.flush == null && !this.states.stopping();
	}

	/** Writes, if this replica is the one that delivers. */
	private Outcome work() throws InterruptedException {
		return switch (this.mirror.duty().state()) {
			case STANDBY -> Outcome.NOTHING_NEW;
			case HANDING_OVER -> {
				this.mirror.handOver();
				yield Outcome.NOTHING_NEW;
			}
			// woken when the mirror is complete
			case TAKING_OVER -> this.states.synced() ? takeOver() : Outcome.NOTHING_NEW;
			case ACTIVE -> write();
		};
	}

	/** Takes over from another replica, and writes. */
	private Outcome takeOver() throws InterruptedException {
		if (this.snapshot.server().await(this.states::stopping) == null) {
			return Outcome.STALLED;
		}
		try {
			Takeover<T> takeover = this.snapshot.exclusively(() -> this.mirror.takeOver(this.states.objects()));
			if (this.mirror.duty().state() != Duty.State.TAKING_OVER) {
				return work();
			}
			if (takeover == null && this.mirror.waitsForOther()) {
				return Outcome.STALLED;
			}
			if (takeover == null) {
				this.snapshot.log(Level.INFO, "NotWriter")
					.log("Reflector '{}': this replica is to deliver, and another process still writes the snapshot; tried again in {} s",
							this.snapshot.name(), RETRY_MILLIS / 1000);
				return Outcome.STALLED;
			}
			if (isBehind(takeover)) {
				return Outcome.STALLED;
			}
			if (!this.mirror.duty().hasTakenOver()) {
				return work();
			}
			this.states.deliver(takeover.handlers());
		}
		catch (SnapshotException ex) {
			failed(ex);
			return Outcome.STALLED;
		}
		return write();
	}

	/**
	 * Whether the mirror has not reached what the replica before has stored: what is
	 * newer there would look as if it had been deleted.
	 */
	private boolean isBehind(Takeover<T> takeover) {
		if (this.states.hasReached(this.stored.told()) || ++this.waits > MOST_WAITS) {
			this.waits = 0;
			return false;
		}
		if (this.waits == 1) {
			this.snapshot.log(Level.INFO, "MirrorBehindSnapshot")
				.log("Reflector '{}': this replica is to deliver, and waits at most {} s until its mirror has reached resource version {}, up to which the replica before has delivered",
						this.snapshot.name(), MOST_WAITS * RETRY_MILLIS / 1000,
						PrintableText.of(String.join(", ", this.stored.told().values())));
		}
		return true;
	}

	private Outcome write() throws InterruptedException {
		try {
			if (this.snapshot.server().await(this.states::stopping) == null || !isWriter()) {
				return Outcome.STALLED;
			}
			Outcome outcome = Outcome.NOTHING_NEW;
			this.commits = Duration.ZERO;
			for (int scope = 0; scope < this.scopes; scope++) {
				Outcome next = write(scope);
				outcome = (next.compareTo(outcome) > 0) ? next : outcome;
			}
			this.snapshot.status().behind(outcome == Outcome.STALLED);
			if (this.failing && outcome != Outcome.STALLED) {
				this.failing = false;
				this.snapshot.log(Level.INFO, "SnapshotWritten")
					.log("Reflector '{}': its snapshot is written again", this.snapshot.name());
			}
			return outcome;
		}
		catch (SnapshotException ex) {
			failed(ex);
			return Outcome.STALLED;
		}
	}

	private boolean isWriter() {
		boolean writer = this.snapshot.exclusively(this.mirror::isWriter);
		this.failing |= !writer;
		if (!writer && this.mirror.waitsForOther()) {
			this.states.standBy();
		}
		return writer;
	}

	private void failed(SnapshotException failure) {
		this.observer.commitFailed();
		this.snapshot.status().failed(failure);
		this.snapshot.status().behind(true);
		this.snapshot.status()
			.writing(!(failure instanceof SnapshotFencedException) && this.snapshot.status().isWriting());
		if (failure instanceof SnapshotGapException gap) {
			this.failing = true;
			this.snapshot.foundGap(gap);
		}
		else if (!this.failing) {
			this.failing = true;
			this.snapshot.log(Level.WARN, "SnapshotFailed")
				.setCause(failure.getCause())
				.log("Reflector '{}': its snapshot cannot be written, which is tried again; meanwhile a restart "
						+ "tells more changes a second time: {}", this.snapshot.name(),
						PrintableText.of(String.valueOf(failure.getMessage())));
		}
	}

	private Outcome write(int scope) throws InterruptedException {
		String version = this.states.version(scope);
		if (version.isEmpty() || version.equals("0") || this.stored.isAt(scope, version)) {
			return Outcome.NOTHING_NEW;
		}
		this.snapshot.status().behind(true);
		CompletedState<T> content = await(this.states.completed(scope));
		if (content == null || content.version().isEmpty() || content.version().equals("0")) {
			return Outcome.STALLED;
		}
		return this.snapshot.exclusively(() -> {
			if (this.stored.isDoubtful()) {
				// an announcement has failed meanwhile
				return Outcome.STALLED;
			}
			this.commits = this.commits.plus(this.committing.commit(scope, content));
			return Outcome.WRITTEN;
		});
	}

	/** Waits for a state; {@code null} when there is none now. */
	private @Nullable CompletedState<T> await(CompletableFuture<CompletedState<T>> state) throws InterruptedException {
		while (!this.states.stopping()) {
			try {
				return state.get(SLICE_MILLIS, TimeUnit.MILLISECONDS);
			}
			catch (TimeoutException ex) {
				// a handler takes its time
			}
			catch (ExecutionException ex) {
				return null;
			}
		}
		return null;
	}

	/** The result of an attempt to write. */
	private enum Outcome {

		NOTHING_NEW, WRITTEN, STALLED

	}

}
