package dev.reflector.cache.internal.snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import dev.reflector.PrintableText;
import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.internal.call.OncePerMinute;
import dev.reflector.cache.internal.store.CompletedObjects;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotFencedException;
import dev.reflector.cache.snapshot.SnapshotGapException;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The snapshot of a partition, that is, of a slot or of the whole mirror, during a run.
 * Takes the snapshot over from another process, announces additions, commits states, and
 * hands the snapshot over to another process. {@link DurableMirror} describes what a
 * snapshot promises.
 * <p>
 * <b>Committed.</b> One commit contains the difference from the previously stored state,
 * and the version of the new state as the cursor. A difference of more than 1000 objects
 * is written in parts. Only the last part contains the cursor of the namespace. Until the
 * last part is written, the stored state is a mixture of two versions, so a start after a
 * crash lists and compares. Objects that {@link WriteAhead} has announced before the mark
 * are stored as completed, or removed if they no longer exist. Objects that were
 * announced after the mark stay announced.
 * <p>
 * <b>Recovery.</b> After a failed commit, {@link #restoreOrder} first claims the snapshot
 * and reads which versions are stored: the failed commit may have reached the store, or
 * another process may have written. The same method is used to claim the snapshot while
 * another process is the writer.
 * <p>
 * <b>Threads.</b> {@code reflector-NAME-snapshot} takes over and commits, and hands over
 * while the reflector runs. {@code reflector-NAME-store} announces. Both leave the work
 * to a thread of the store, and wait for it without a lock. Any thread may read the
 * status.
 *
 * @param <T> the type of the objects
 */
public final class PartitionSnapshot<T> {

	private final DurableMirror<T> mirror;

	private final boolean resumes;

	private final OpenSnapshot<T> snapshot;

	private final StoredState<T> stored;

	private final SnapshotCommits<T> commits;

	private final WriteAhead<T> writeAhead;

	private final TakeoverPatience patience;

	private final TimeSource time;

	private final OncePerMinute waits = new OncePerMinute();

	/**
	 * For each namespace that is followed separately, the objects of the partition that
	 * were committed last.
	 */
	private final List<@Nullable PersistentMap<ResourceKey, T>> committed = new ArrayList<>();

	private final ReflectorObserver observer;

	/** Whether anything usable was stored when the snapshot was taken over. */
	private boolean found;

	private boolean failing;

	/**
	 * Creates the snapshot of a partition. Does not open the store yet.
	 * @param mirror the durable mirror whose snapshot this is
	 * @param resumes whether a start can resume the watch from the snapshot, so that a
	 * new version is stored even without changes
	 * @param scopes the number of namespaces that are followed separately, 1 if all are
	 * followed together
	 * @param observer is notified of commits
	 * @param time source of time
	 */
	public PartitionSnapshot(DurableMirror<T> mirror, boolean resumes, int scopes, ReflectorObserver observer,
			TimeSource time) {
		this.mirror = mirror;
		this.resumes = resumes;
		this.observer = observer;
		this.snapshot = mirror.open();
		this.stored = mirror.stored();
		this.commits = new SnapshotCommits<>(mirror, observer, time);
		this.patience = new TakeoverPatience(mirror, time);
		this.time = time;
		this.writeAhead = new WriteAhead<>(mirror, observer, time);
		for (int i = 0; i < scopes; i++) {
			this.committed.add(null);
		}
	}

	/**
	 * Makes this process the writer in place of another one, and reads what that process
	 * has stored.
	 * @param present the objects of the partition in the mirror
	 * @param stopping returns whether to give up
	 * @return the state that handlers have completed, or {@code null} if the snapshot
	 * cannot be taken over now
	 * @throws InterruptedException when the thread is interrupted
	 */
	public @Nullable TakenOver<T> takeOver(PersistentMap<ResourceKey, T> present, BooleanSupplier stopping)
			throws InterruptedException {
		if (this.snapshot.server().await(stopping) == null) {
			return null;
		}
		if (this.mirror.role().isActive()) {
			// the snapshot was taken over before, but the handlers could not begin then
			return new TakenOver<>(this.found ? this.mirror.completed(present) : null);
		}
		try {
			Takeover<T> takeover = this.snapshot.<Takeover<T>>takeOver(() -> this.mirror.takeOver(present), stopping,
					this::failed);
			if (takeover == null) {
				waitsForWriter(stopping);
			}
			if (takeover == null || !this.mirror.role().hasTakenOver()) {
				return null;
			}
			this.committed.replaceAll((before) -> null);
			this.patience.begin(takeover.reached());
			succeeded();
			this.found = takeover.found();
			return new TakenOver<>(takeover.handlers());
		}
		catch (SnapshotException ex) {
			failed(ex);
			return null;
		}
	}

	private void waitsForWriter(BooleanSupplier stopping) throws InterruptedException {
		if (!this.mirror.role().isTakingOver() || stopping.getAsBoolean() || Boolean.TRUE
			.equals(this.snapshot.takeOver(() -> this.mirror.waitsForOther(), stopping, this::failed))) {
			return;
		}
		this.snapshot.status()
			.failed(new SnapshotException("another process still has the right to write the snapshot", null));
		if (this.waits.isDue(this.time.nanoTime())) {
			this.snapshot.log(Level.INFO, "NotWriter")
				.log("Reflector '{}': this replica is now active, but another process still has the right to write "
						+ "the snapshot. This replica tries again, and delivers nothing until that process gives up the right or ends",
						this.snapshot.name());
		}
	}

	/**
	 * Whether handlers must wait before they begin, because the mirror is behind the
	 * stored state.
	 * @param hasReached returns whether the mirror has reached the versions of a stored
	 * state
	 */
	public boolean waits(Predicate<Map<String, String>> hasReached) {
		return this.patience.waits(hasReached);
	}

	/**
	 * Whether there is something to store. Called if the versions of the mirror and the
	 * stored state differ.
	 * @param scope the number of the namespace that is followed separately, 0 if all are
	 * followed together
	 * @param present the objects of the partition
	 * @param undecided see {@link CompletedState}
	 */
	public boolean isBehind(int scope, PersistentMap<ResourceKey, T> present, Set<ResourceKey> undecided) {
		return this.resumes || !isStored(scope, present, undecided);
	}

	private boolean isStored(int scope, PersistentMap<ResourceKey, T> objects, Set<ResourceKey> undecided) {
		return this.committed.get(scope) == objects && !this.mirror.isDoubtful() && this.stored.isKnown(scope)
				&& this.mirror.uncommitted().isEmpty() && undecided.containsAll(this.mirror.unread().keySet());
	}

	/** Returns the objects that must be stored before handlers receive them. */
	public Map<ResourceKey, T> unstored(PersistentMap<ResourceKey, T> present) {
		boolean ahead = this.mirror.isWrittenAhead() && !this.mirror.isDoubtful() && this.snapshot.status().isWriting();
		return ahead ? this.mirror.unstored(present) : Map.of();
	}

	/**
	 * Whether an object was announced by an earlier process, and this process has
	 * delivered neither its addition nor its deletion yet.
	 */
	public boolean isUndecided(ResourceKey key) {
		return this.mirror.isUndecided(key);
	}

	/**
	 * Stores additions before handlers receive them, unless the stored state is unknown.
	 * @param additions the additions
	 * @param deletions deleted objects whose names are {@link #isUndecided undecided}
	 * @param deadline the deadline of the batch
	 * @throws InterruptedException when the thread is interrupted
	 */
	public void announce(Map<ResourceKey, T> additions, Map<ResourceKey, T> deletions, AnnounceDeadline deadline)
			throws InterruptedException {
		if (this.mirror.isWrittenAhead()) {
			this.writeAhead.announce(additions, deletions, deadline);
		}
	}

	/** Returns the number of the last batch whose additions were announced. */
	public long lastAnnounced() {
		return this.mirror.lastAnnounced();
	}

	/**
	 * Makes this process the writer, unless it already is. Reads the stored versions if
	 * this process was not the writer, or if the stored state is unknown.
	 * @param stopping returns whether to stop waiting
	 * @return whether commits are possible
	 * @throws InterruptedException when the thread is interrupted
	 */
	public Order restoreOrder(BooleanSupplier stopping) throws InterruptedException {
		if (this.snapshot.server().await(stopping) == null) {
			return Order.MISSING;
		}
		if (this.snapshot.status().isWriting() && !this.mirror.isDoubtful()) {
			return Order.KEPT;
		}
		try {
			if (Boolean.TRUE.equals(this.snapshot.use(() -> this.mirror.isWriter(), stopping, this::failed))) {
				this.failing = true;
				return Order.RESTORED;
			}
			this.snapshot.use(() -> this.mirror.waitsForOther(), stopping, this::failed);
		}
		catch (SnapshotException ex) {
			failed(ex);
		}
		return Order.MISSING;
	}

	/**
	 * Whether a state dates from before the stored versions were last read. Such a state
	 * must not be stored, because it may lack objects that were added without being
	 * announced.
	 * @param mark the number of the last batch of announced additions that precedes the
	 * state
	 */
	public boolean isFromBefore(long mark) {
		return this.stored.isFromBefore(mark);
	}

	/**
	 * Stores a state that handlers have completed, unless it is already stored.
	 * @param scope the number of the namespace that is followed separately, 0 if all are
	 * followed together
	 * @param state the state, with the objects of the partition
	 * @param stopping returns whether to stop waiting
	 * @return whether the state is stored
	 * @throws InterruptedException when the thread is interrupted
	 */
	public boolean commit(int scope, CompletedState<T> state, BooleanSupplier stopping) throws InterruptedException {
		if (!this.resumes && isStored(scope, state.objects(), state.undecided())) {
			return true;
		}
		try {
			boolean stored = Boolean.TRUE.equals(this.snapshot.use(() -> commit(scope, state), stopping, this::failed));
			if (stored) {
				this.committed.set(scope, state.objects());
				succeeded();
			}
			return stored;
		}
		catch (SnapshotException ex) {
			failed(ex);
			return false;
		}
	}

	private boolean commit(int scope, CompletedState<T> state) {
		// in the meantime, a failed announcement may have made the stored state unknown
		if (this.stored.isDoubtful() || this.stored.isFromBefore(state.mark())) {
			return false;
		}
		this.commits.commit(scope, state);
		return true;
	}

	/**
	 * Whether an application with a different name writes the snapshot. If so, the
	 * partition must not be delivered until that application is gone and this process has
	 * taken over the snapshot again.
	 */
	public boolean isHeldByOther() {
		return status().heldBy() != null;
	}

	private void succeeded() {
		if (this.failing) {
			this.failing = false;
			this.snapshot.log(Level.INFO, "SnapshotWritten")
				.log("Reflector '{}': its snapshot can be written again", this.snapshot.name());
		}
	}

	private void failed(SnapshotException failure) {
		if (this.snapshot.hasEnded()) {
			return;
		}
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
			String consequence = this.mirror.role().isTakingOver()
					? "cannot be taken over. This replica tries again, and delivers nothing until that succeeds"
					: "cannot be written. Retrying. Until that succeeds, a restart redelivers the changes since "
							+ this.snapshot.status().storedUpTo();
			this.snapshot.log(Level.WARN, "SnapshotFailed")
				.setCause(failure.getCause())
				.log("Reflector '{}': its snapshot {}: {}", this.snapshot.name(), consequence,
						PrintableText.of(String.valueOf(failure.getMessage())));
		}
	}

	/**
	 * Returns the objects that all handlers have completed, and separately the newer
	 * objects that some handlers may have received.
	 */
	public CompletedObjects<T> completed() {
		return this.mirror.completed();
	}

	/**
	 * Gives up the claim on the snapshot, if this process must hand the snapshot over.
	 * @return a future that completes when another process can become the writer
	 */
	public CompletableFuture<Void> handOver() {
		return this.mirror.handOver();
	}

	/** Returns the durable mirror whose snapshot this is. */
	public DurableMirror<T> mirror() {
		return this.mirror;
	}

	/** Returns the status of the snapshot. */
	public ReflectorStatus.Durability status() {
		return this.mirror.status();
	}

	/** Whether commits to a snapshot are possible. */
	public enum Order {

		/** Commits are possible, as before. */
		KEPT,

		/** Commits are possible again, after the stored versions were read. */
		RESTORED,

		/** Commits are not possible now. */
		MISSING

	}

	/**
	 * The state that the handlers of the previous process have completed.
	 *
	 * @param <T> the type of the objects
	 * @param completed the objects whose changes the handlers have completed, or may have
	 * received; {@code null} if nothing is known
	 */
	public record TakenOver<T>(@Nullable CompletedObjects<T> completed) {

	}

}
