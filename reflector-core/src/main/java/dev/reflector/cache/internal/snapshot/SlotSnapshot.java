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
import dev.reflector.cache.internal.store.CompletedObjects;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotFencedException;
import dev.reflector.cache.snapshot.SnapshotGapException;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The snapshot of one slot, which is written by the replica that owns the slot. It keeps
 * what handlers have completed. Nothing is restored from it: the mirror of the next owner
 * follows the server already, and its handlers begin with what differs from the snapshot.
 * <p>
 * <b>Threads.</b> {@code reflector-NAME-snapshot} takes over and commits, and hands over
 * while the reflector runs, {@code reflector-NAME-store} announces. The thread of the
 * store does their work, and is the same for all slots. Any thread may read the status.
 *
 * @param <T> the type of the objects
 */
public final class SlotSnapshot<T> {

	private final DurableMirror<T> mirror;

	private final OpenSnapshot<T> snapshot;

	private final SnapshotCommits<T> commits;

	private final WriteAhead<T> writeAhead;

	private final TakeoverPatience patience;

	/** The objects of the slot as each scope was committed last. */
	private final List<@Nullable PersistentMap<ResourceKey, T>> committed = new ArrayList<>();

	private final ReflectorObserver observer;

	/** Whether anything of use was stored when it was taken over. */
	private boolean found;

	private boolean failing;

	/**
	 * Creates the snapshot of a slot. Opens nothing.
	 * @param mirror the snapshot, of which this process is a standby
	 * @param scopes how many namespaces are followed on their own, 1 for all
	 * @param observer is told of commits
	 * @param time source of time
	 */
	public SlotSnapshot(DurableMirror<T> mirror, int scopes, ReflectorObserver observer, TimeSource time) {
		this.mirror = mirror;
		this.observer = observer;
		this.snapshot = mirror.open();
		this.commits = new SnapshotCommits<>(mirror, observer, time);
		this.patience = new TakeoverPatience(mirror, time);
		this.writeAhead = new WriteAhead<>(mirror, observer, time);
		for (int i = 0; i < scopes; i++) {
			this.committed.add(null);
		}
	}

	/**
	 * Becomes the writer, and reads what the owner before has stored.
	 * @param present the objects of the slot in the mirror
	 * @param stopping whether to give up
	 * @return what handlers have completed; {@code null} when it cannot be taken over now
	 * @throws InterruptedException when the thread is interrupted
	 */
	public @Nullable TakenOver<T> takeOver(PersistentMap<ResourceKey, T> present, BooleanSupplier stopping)
			throws InterruptedException {
		if (this.snapshot.server().await(stopping) == null) {
			return null;
		}
		this.mirror.duty().takeOver();
		try {
			if (this.mirror.duty().isActive()) {
				// taken over already, and the handlers could not begin then
				return new TakenOver<>(this.found ? this.mirror.completed(present) : null);
			}
			Takeover<T> takeover = this.snapshot.<Takeover<T>>takeOver(() -> this.mirror.takeOver(present), stopping,
					this::failed);
			if (takeover == null) {
				if (Boolean.TRUE.equals(this.snapshot.takeOver(this.mirror::waitsForOther, stopping, this::failed))) {
					return null;
				}
				this.snapshot.log(Level.INFO, "NotWriter")
					.log("Reflector '{}': this replica owns the slot, but another process still holds the claim to its "
							+ "snapshot; retrying", this.snapshot.name());
				return null;
			}
			this.mirror.duty().hasTakenOver();
			this.committed.replaceAll((before) -> null);
			succeeded();
			this.found = takeover.found();
			return new TakenOver<>(takeover.handlers());
		}
		catch (SnapshotException ex) {
			failed(ex);
			return null;
		}
	}

	/**
	 * Whether handlers do not begin yet, as the mirror is behind what is stored.
	 * @param hasReached whether the mirror has reached a stored state
	 */
	public boolean waits(Predicate<Map<String, String>> hasReached) {
		return this.patience.waits(hasReached);
	}

	/**
	 * Whether there is something to store.
	 * @param scope the number of the scope
	 * @param present the objects of the slot
	 * @param undecided see {@link CompletedState}
	 */
	public boolean isBehind(int scope, PersistentMap<ResourceKey, T> present, Set<ResourceKey> undecided) {
		return !isStored(scope, present, undecided);
	}

	private boolean isStored(int scope, PersistentMap<ResourceKey, T> objects, Set<ResourceKey> undecided) {
		return this.committed.get(scope) == objects && !this.mirror.isDoubtful() && this.mirror.stored().isKnown(scope)
				&& this.mirror.uncommitted().isEmpty() && undecided.containsAll(this.mirror.unread().keySet());
	}

	/** The objects of the slot that are to be stored before handlers hear of them. */
	public Map<ResourceKey, T> unstored(PersistentMap<ResourceKey, T> present) {
		boolean ahead = this.mirror.isWrittenAhead() && !this.mirror.isDoubtful() && this.snapshot.status().isWriting();
		return ahead ? this.mirror.unstored(present) : Map.of();
	}

	/**
	 * Stores additions before handlers hear of them, if the store is in order.
	 * @param additions the additions
	 * @param deadline until when the batch waits that they came with
	 * @throws InterruptedException when the thread is interrupted
	 */
	public void announce(Map<ResourceKey, T> additions, AnnounceDeadline deadline) throws InterruptedException {
		if (this.mirror.isWrittenAhead()) {
			this.writeAhead.announce(additions, Map.of(), deadline);
		}
	}

	/** The number of the last batch of which the additions were announced. */
	public long lastAnnounced() {
		return this.mirror.lastAnnounced();
	}

	/**
	 * Stores a state that handlers have completed, unless it is stored already.
	 * @param scope the number of the scope
	 * @param state the state, with the objects of the slot
	 * @param stopping whether to wait no longer
	 * @return whether it is stored
	 * @throws InterruptedException when the thread is interrupted
	 */
	public boolean commit(int scope, CompletedState<T> state, BooleanSupplier stopping) throws InterruptedException {
		if (isStored(scope, state.objects(), state.undecided())) {
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

	/**
	 * Whether an application of another name writes it, such that the slot is not to be
	 * delivered before that is gone and it is taken over again.
	 */
	public boolean isHeldByOther() {
		return status().heldBy() != null;
	}

	private boolean commit(int scope, CompletedState<T> state) {
		if (!this.mirror.isWriter()) {
			this.mirror.waitsForOther();
			return false;
		}
		if (this.mirror.stored().isFromBefore(state.mark())) {
			return false;
		}
		this.commits.commit(scope, state);
		return true;
	}

	private void succeeded() {
		if (this.failing) {
			this.failing = false;
			this.snapshot.log(Level.INFO, "SnapshotWritten")
				.log("Reflector '{}': its snapshot is written again", this.snapshot.name());
		}
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
				.log("Reflector '{}': its snapshot cannot be used; retrying. Until then, a restart redelivers the changes "
						+ "since {}: {}", this.snapshot.name(), this.snapshot.status().storedUpTo(),
						PrintableText.of(String.valueOf(failure.getMessage())));
		}
	}

	/** What all handlers have completed, and what some may have heard of since then. */
	public CompletedObjects<T> completed() {
		return this.mirror.completed();
	}

	/**
	 * Gives up the claim.
	 * @return completes when another replica can become the writer
	 */
	public CompletableFuture<Void> handOver() {
		this.mirror.duty().standBy();
		return this.mirror.handOver();
	}

	/** The status of the snapshot. */
	public ReflectorStatus.Durability status() {
		return this.mirror.status();
	}

	/**
	 * What handlers of the owner before have completed.
	 *
	 * @param <T> the type of the objects
	 * @param completed the objects, {@code null} when nothing is known
	 */
	public record TakenOver<T>(@Nullable CompletedObjects<T> completed) {

	}

}
