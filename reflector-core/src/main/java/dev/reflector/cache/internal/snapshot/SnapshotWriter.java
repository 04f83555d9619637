package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

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
 * <b>Completed.</b> While something changes, a mark is set at each commit interval. It
 * goes from the loop through the queue to the mirror. When it gets there, the writer of
 * the mirror takes the current map of objects, which holds the loop's namespace as it was
 * at the loop's version. When the changes up to there are in the queues of the handlers,
 * a second mark goes into each of these queues. When every handler has returned from all
 * changes before its mark, and the stage of its {@code completed()} is done, the state is
 * completed. Several marks may be under way ({@link CompletionMarks}).
 * <p>
 * <b>Committed.</b> A commit takes the newest completed state, whatever waits behind it.
 * The difference from the state stored before is written together with the version as the
 * cursor, in one commit. A difference of more than 1000 objects is written in parts, all
 * but the last without the cursor of the namespace: until then, what is stored is of no
 * single version, and a start after a crash lists and compares.
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
 * <b>Threads.</b> {@link #flush()} and {@link #wake()} may be called by any thread. The
 * thread that writes the mirror calls {@link #reached()}. Everything else belongs to the
 * thread of the writer, which has the thread of the store do what concerns the store, and
 * waits for that without a lock until the run ends. A stop of the reflector has the
 * writer try once more before the handlers end, for {@code drainTimeout} at most, and not
 * when the store did not answer before.
 *
 * @param <T> the type of the objects
 */
public final class SnapshotWriter<T> implements Runnable {

	private static final long RETRY_MILLIS = 2000;

	private final DurableMirror<T> mirror;

	private final CompletedStates<T> states;

	private final OpenSnapshot<T> snapshot;

	private final StoredState<T> stored;

	private final ReflectorObserver observer;

	private final TimeSource time;

	private final TakeoverPatience patience;

	private final MarkedStates<CompletedState<T>> marks;

	private final SnapshotCommits<T> commits;

	private final Flushes flushes = new Flushes();

	private final Pauses pauses = new Pauses();

	private boolean failing;

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
		this.observer = observer;
		this.time = time;
		this.patience = new TakeoverPatience(mirror, time);
		this.commits = new SnapshotCommits<>(mirror, observer, time);
		this.marks = new MarkedStates<>(scopes, this.snapshot.options().commitInterval(), time, states);
		this.snapshot.status().marks(this.marks);
	}

	@Override
	public void run() {
		try {
			while (!this.states.stopping()) {
				Outcome outcome = work(this.flushes.accept());
				this.flushes.await(this.marks.last());
				if (outcome == Outcome.WRITING) {
					this.flushes.passed(this.marks);
				}
				else {
					this.flushes.complete();
				}
				if (outcome == Outcome.STALLED) {
					this.marks.stalled();
				}
				pause(outcome);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.flushes.end();
		}
	}

	/**
	 * Has what is completed by now written soon.
	 * @return completes when that has been tried, or the thread of the writer has ended
	 */
	public CompletableFuture<Void> flush() {
		CompletableFuture<Void> flush = this.flushes.request();
		wake();
		return flush;
	}

	/** The mirror has reached a version. Called by the thread that writes the mirror. */
	public void reached() {
		this.marks.reached();
		wake();
	}

	/** Ends a pause: there may be something to write, or the reflector ends. */
	public void wake() {
		this.pauses.end();
	}

	private boolean isUrgent() {
		return this.flushes.isRequested() || this.states.stopping();
	}

	/** Waits until there is something to do, and it is due. */
	private void pause(Outcome outcome) throws InterruptedException {
		long retry = this.time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
		boolean due = false;
		while (!due && !isUrgent()) {
			long left = switch (outcome) {
				case STALLED -> retry - this.time.nanoTime();
				case WRITING -> this.marks.untilDue(this.flushes.isPending());
				case NOTHING_TO_DO -> Long.MAX_VALUE;
			};
			boolean woken = left > 0 && this.pauses.await(left);
			due = left <= 0 || (woken && outcome == Outcome.NOTHING_TO_DO);
		}
	}

	/** Writes, if this replica is the one that delivers. */
	private Outcome work(boolean flush) throws InterruptedException {
		return switch (this.mirror.duty().state()) {
			case STANDBY -> Outcome.NOTHING_TO_DO;
			case HANDING_OVER -> {
				this.marks.forget();
				handOver();
				yield Outcome.NOTHING_TO_DO;
			}
			// woken when the mirror is complete
			case TAKING_OVER -> this.states.synced() ? takeOver(flush) : Outcome.NOTHING_TO_DO;
			case ACTIVE -> write(flush);
		};
	}

	private void handOver() throws InterruptedException {
		this.snapshot.await(this.mirror.handingOver(), this.states::stopping, this::failed);
	}

	/** Takes over from another replica, and writes. */
	private Outcome takeOver(boolean flush) throws InterruptedException {
		if (this.snapshot.server().await(this.states::stopping) == null) {
			return Outcome.STALLED;
		}
		try {
			Takeover<T> takeover = use(() -> this.mirror.takeOver(this.states.objects()));
			if (this.mirror.duty().state() != Duty.State.TAKING_OVER) {
				return work(flush);
			}
			if (takeover == null && (this.states.stopping() || waitsForOther())) {
				return Outcome.STALLED;
			}
			if (takeover == null) {
				this.snapshot.log(Level.INFO, "NotWriter")
					.log("Reflector '{}': this replica is now active, but another process still holds the claim to the "
							+ "snapshot; retrying in {} s", this.snapshot.name(), RETRY_MILLIS / 1000);
				return Outcome.STALLED;
			}
			if (this.patience.waits(this.states::hasReached)) {
				return Outcome.STALLED;
			}
			if (!this.mirror.duty().hasTakenOver()) {
				return work(flush);
			}
			this.marks.restart();
			this.states.deliver(takeover.handlers());
		}
		catch (SnapshotException ex) {
			failed(ex);
			return Outcome.STALLED;
		}
		return write(flush);
	}

	private Outcome write(boolean flush) throws InterruptedException {
		try {
			if (this.snapshot.server().await(this.states::stopping) == null || !isWriter()) {
				return Outcome.STALLED;
			}
			this.marks.mark(flush, this::wake);
			boolean possible = this.marks.commit(this.flushes.isPending(), this::commit);
			if (this.failing && possible && this.marks.isInStep()) {
				this.failing = false;
				this.snapshot.log(Level.INFO, "SnapshotWritten")
					.log("Reflector '{}': its snapshot is written again", this.snapshot.name());
			}
			return possible ? Outcome.WRITING : Outcome.STALLED;
		}
		catch (SnapshotException ex) {
			failed(ex);
			return Outcome.STALLED;
		}
	}

	private @Nullable Duration commit(int scope, CompletedState<T> state) throws InterruptedException {
		// an announcement may have failed in the meantime
		return CompletionMarks.isVersion(state.version())
				? use(() -> this.stored.isDoubtful() ? null : this.commits.commit(scope, state)) : null;
	}

	/** {@code null} also when the run ends before the store has answered. */
	private <R> @Nullable R use(Supplier<@Nullable R> use) throws InterruptedException {
		return this.snapshot.use(use, () -> {
			if (this.mirror.duty().isActive() && this.flushes.isRequested() && this.snapshot.isSilent()) {
				// the end does not wait for a store that did not answer before
				this.flushes.accept();
				this.flushes.complete();
			}
			return this.states.stopping();
		}, this::failed);
	}

	private boolean isWriter() throws InterruptedException {
		boolean writing = this.snapshot.status().isWriting();
		if (writing && !this.mirror.isDoubtful()) {
			return true;
		}
		boolean writer = Boolean.TRUE.equals(use(this.mirror::isWriter));
		if (writer) {
			this.failing = true;
		}
		else if (waitsForOther()) {
			this.states.standBy();
		}
		if (writer && !writing) {
			this.marks.restart();
		}
		else {
			// a state from before may lack objects that were added and not announced
			this.marks.forget();
		}
		return writer;
	}

	private boolean waitsForOther() throws InterruptedException {
		return Boolean.TRUE.equals(use(this.mirror::waitsForOther));
	}

	private void failed(SnapshotException failure) {
		this.observer.commitFailed();
		this.snapshot.status().failed(failure);
		this.snapshot.status()
			.writing(!(failure instanceof SnapshotFencedException) && this.snapshot.status().isWriting());
		if (failure instanceof SnapshotGapException) {
			this.failing = true;
		}
		else if (failure instanceof SnapshotMismatchException mismatch) {
			this.snapshot.refused(mismatch);
		}
		else if (!this.failing) {
			this.failing = true;
			this.snapshot.log(Level.WARN, "SnapshotFailed")
				.setCause(failure.getCause())
				.log("Reflector '{}': its snapshot cannot be written; retrying. Until then, a restart redelivers the "
						+ "changes since {}: {}", this.snapshot.name(), this.snapshot.status().storedUpTo(),
						PrintableText.of(String.valueOf(failure.getMessage())));
		}
	}

	/** What is to be done after an attempt to write. */
	private enum Outcome {

		NOTHING_TO_DO, WRITING, STALLED

	}

}
