package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotFencedException;
import dev.reflector.cache.snapshot.SnapshotGapException;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.snapshot.StoredObject;
import org.slf4j.event.Level;

/**
 * Stores added objects before listeners receive them. Without this, a deletion event
 * could be lost: if an object is delivered as added before a crash, and deleted before
 * the restart, neither the snapshot nor a list contains it.
 * <p>
 * An object that is stored in this way is marked as announced. The next commit stores it
 * like any other object. After a crash, the start does not put an announced object into
 * the mirror, because listeners may not have received it. If the object still exists, the
 * server reports its addition. If not, the object is missing in a list, and its deletion
 * is delivered.
 * <p>
 * <b>Threads.</b> Used by {@code reflector-NAME-store}, which waits for the thread of the
 * store.
 * <p>
 * <b>Bounds.</b> The wait has no limit while the store accepts one part after the other,
 * for example at the first start with many objects. The wait ends when the store has
 * accepted nothing for {@link SnapshotOptions#announceTimeout()}, even if the store is
 * busy with another call, and no matter how many slots the changes belong to. It also
 * ends when the reflector ends.
 * <p>
 * <b>Recovery.</b> If the store fails or the wait ends, mirror and listeners continue.
 * Nothing is announced until the {@link PartitionSnapshot} has read the stored versions
 * again.
 *
 * @param <T> the type of the objects
 */
public final class WriteAhead<T> {

	private final DurableMirror<T> mirror;

	private final OpenSnapshot<T> snapshot;

	private final StoredState<T> stored;

	private final ReflectorObserver observer;

	private final TimeSource time;

	/**
	 * Creates the write-ahead of a snapshot.
	 * @param mirror the durable mirror whose snapshot stores the additions
	 * @param observer is notified of commits
	 * @param time source of time
	 */
	public WriteAhead(DurableMirror<T> mirror, ReflectorObserver observer, TimeSource time) {
		this.mirror = mirror;
		this.snapshot = mirror.open();
		this.stored = mirror.stored();
		this.observer = observer;
		this.time = time;
	}

	/**
	 * Stores additions, if this process writes the snapshot and the stored state is
	 * known. Blocks until the additions are durable, the store has failed, or the wait
	 * ends. Does not use the store if the deadline is over.
	 * @param additions the additions
	 * @param deletions the deleted objects whose names were announced by an earlier
	 * process; listeners are about to receive their deletions
	 * @param deadline the deadline of the batch, which several snapshots may share
	 * @throws InterruptedException when the thread is interrupted
	 */
	void announce(Map<ResourceKey, T> additions, Map<ResourceKey, T> deletions, AnnounceDeadline deadline)
			throws InterruptedException {
		PendingAdditions<T> pendingAdditions = this.stored.pendingAdditions();
		long number = pendingAdditions.begin();
		deletions.forEach((key, object) -> pendingAdditions.deleted(key, object, number));
		if (additions.isEmpty() || this.stored.isDoubtful() || !this.snapshot.status().isWriting()
				|| !this.snapshot.server().isAnswered()) {
			return;
		}
		Duration bound = this.snapshot.options().announceTimeout();
		if (deadline.isOver(bound)) {
			failed(unanswered(deadline));
			return;
		}
		StoreThread.Call<Boolean> call = this.snapshot.call(() -> store(additions, number));
		try {
			if (call.await(() -> deadline.isOver(bound)) || !call.giveUp()) {
				call.result();
			}
			else {
				failed(unanswered(deadline));
			}
		}
		catch (SnapshotException ex) {
			failed(ex);
		}
	}

	private SnapshotException unanswered(AnnounceDeadline deadline) {
		return deadline.isEnding() ? new SnapshotException("the reflector ends before all of them are stored", null)
				: this.snapshot.silence(this.snapshot.options().announceTimeout());
	}

	/**
	 * Notes a failure. Until the stored state has been read again, listeners receive
	 * additions without waiting for the store.
	 */
	private void failed(SnapshotException failure) {
		this.stored.doubt();
		this.observer.commitFailed();
		this.snapshot.status().notAnnounced(failure);
		if (failure instanceof SnapshotFencedException) {
			this.snapshot.status().writing(false);
		}
		if (failure instanceof SnapshotGapException) {
			return;
		}
		this.snapshot.log(Level.WARN, "NotAnnounced")
			.log("Reflector '{}': added objects cannot be stored before they are delivered, and delivery "
					+ "continues without that. Until the snapshot can be written again, a crash redelivers the "
					+ "changes since {}, and can lose the deletion of an object that was added since " + "then: {}",
					this.snapshot.name(), this.snapshot.status().storedUpTo(),
					PrintableText.of(String.valueOf(failure.getMessage())));
	}

	private boolean store(Map<ResourceKey, T> additions, long number) {
		if (this.stored.isDoubtful() || !this.mirror.isWriter()) {
			return false;
		}
		try {
			store(additions);
		}
		catch (RuntimeException | Error ex) {
			this.stored.doubt();
			throw ex;
		}
		additions.forEach(
				(key, object) -> this.stored.pendingAdditions().add(key, object, number, !this.stored.contains(key)));
		return true;
	}

	private void store(Map<ResourceKey, T> additions) {
		List<StoredObject> part = new ArrayList<>();
		for (Map.Entry<ResourceKey, T> addition : additions.entrySet()) {
			// if an object of this name is already stored, that is enough to find the
			// deletion later
			if (!this.stored.contains(addition.getKey())) {
				part.add(this.snapshot.stored(addition.getKey(), addition.getValue(), true));
			}
			if (part.size() == SnapshotCommits.PART) {
				store(part);
			}
		}
		if (!part.isEmpty()) {
			store(part);
		}
	}

	private void store(List<StoredObject> part) {
		long start = this.time.nanoTime();
		this.snapshot.commit(part, List.of(), this.stored.cursors(), this.stored.isOneShape(-1));
		this.observer.committed(Duration.ofNanos(this.time.nanoTime() - start));
		part.clear();
	}

}
