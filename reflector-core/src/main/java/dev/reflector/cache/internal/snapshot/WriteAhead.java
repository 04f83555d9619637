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
import dev.reflector.cache.snapshot.StoredObject;
import org.slf4j.event.Level;

/**
 * Stores added objects before listeners hear of them. Otherwise an object could be told
 * as added, and after a crash neither the snapshot nor a list would have it if it was
 * deleted meanwhile: nobody would tell its deletion.
 * <p>
 * What is stored in this way is marked as announced. A start after a crash does not put
 * it into the mirror, because listeners may not have heard of it: the server then tells
 * of its addition, or a list does not have it, and its deletion is told. The next commit
 * stores it like any other object.
 * <p>
 * <b>Threads.</b> Used by {@code reflector-NAME-store}.
 * <p>
 * <b>Recovery.</b> When the store fails, mirror and listeners go on, and nothing is
 * announced until {@link SnapshotWriter} has found the store in order again.
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
	 * Creates the write-ahead of a run.
	 * @param mirror the snapshot
	 * @param observer is told of commits
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
	 * Stores additions, if this process writes the snapshot and the store is in order.
	 * Returns when they are durable, or the store has failed.
	 * @param additions the additions
	 * @param deletions deleted objects of names that were announced by an earlier
	 * process: listeners are about to hear of these deletions
	 * @throws InterruptedException when the thread is interrupted
	 */
	public void announce(Map<ResourceKey, T> additions, Map<ResourceKey, T> deletions) throws InterruptedException {
		boolean possible = this.snapshot.status().isWriting() && this.snapshot.server().isAnswered();
		try {
			this.snapshot.exclusively(() -> {
				Announcements<T> announcements = this.stored.announcements();
				long number = announcements.begin();
				deletions.forEach((key, object) -> announcements.deleted(key, object, number));
				if (possible && !this.stored.isDoubtful() && this.mirror.isWriter()) {
					store(additions);
					additions
						.forEach((key, object) -> announcements.add(key, object, number, !this.stored.contains(key)));
				}
				return number;
			});
		}
		catch (SnapshotException ex) {
			failed(ex);
		}
	}

	private void failed(SnapshotException failure) {
		this.stored.doubt();
		this.observer.commitFailed();
		this.snapshot.status().failed(failure);
		if (failure instanceof SnapshotFencedException) {
			this.snapshot.status().writing(false);
		}
		if (failure instanceof SnapshotGapException gap) {
			this.snapshot.foundGap(gap);
			return;
		}
		this.snapshot.log(Level.WARN, "NotAnnounced")
			.log("Reflector '{}': added objects cannot be written before listeners hear of them. Listeners go on; until "
					+ "the snapshot is written again, a crash can lose the deletion of such an object: {}",
					this.snapshot.name(), PrintableText.of(String.valueOf(failure.getMessage())));
	}

	private void store(Map<ResourceKey, T> additions) {
		List<StoredObject> part = new ArrayList<>();
		for (Map.Entry<ResourceKey, T> addition : additions.entrySet()) {
			// what is there already is enough to find out that the object is gone
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
