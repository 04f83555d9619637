package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

import dev.reflector.ResourceKey;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.internal.snapshot.StoredState.Difference;
import dev.reflector.cache.internal.store.UnknownObject;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.StoredObject;

/**
 * Stores completed states. Writes only the difference from the previously stored state,
 * in parts of limited size. Used only on the thread of the store.
 *
 * @param <T> the type of the objects
 */
final class SnapshotCommits<T> {

	/** The largest number of objects in one part. */
	static final int PART = 1000;

	private final OpenSnapshot<T> snapshot;

	private final StoredState<T> stored;

	private final ReflectorObserver observer;

	private final TimeSource time;

	SnapshotCommits(DurableMirror<T> mirror, ReflectorObserver observer, TimeSource time) {
		this.snapshot = mirror.open();
		this.stored = mirror.stored();
		this.observer = observer;
		this.time = time;
	}

	/**
	 * Stores the state of one namespace, or of all namespaces if they are followed
	 * together.
	 * @param scope the number of the namespace, 0 if all namespaces are followed together
	 * @param content the state
	 * @return how long the commits took
	 * @throws SnapshotException if the store has failed, so that the stored state is
	 * unknown
	 */
	Duration commit(int scope, CompletedState<T> content) {
		Difference<T> difference = this.stored.difference(scope, content);
		Duration took;
		try {
			took = commit(scope, difference, content.version());
		}
		catch (RuntimeException | Error ex) {
			this.stored.doubt();
			throw ex;
		}
		this.stored.written(scope, content, difference);
		this.snapshot.status().size(this.stored.size(), this.snapshot.unknown().size());
		return took;
	}

	private Duration commit(int scope, Difference<T> difference, String version) {
		Iterator<Map.Entry<ResourceKey, T>> set = difference.set().iterator();
		Iterator<ResourceKey> removed = difference.removed().iterator();
		Iterator<Map.Entry<ResourceKey, T>> again = difference.again().entrySet().iterator();
		Duration all = Duration.ZERO;
		Iterator<Map.Entry<ResourceKey, UnknownObject>> lost = difference.lost().entrySet().iterator();
		boolean last;
		do {
			long start = this.time.nanoTime();
			List<StoredObject> upserts = new ArrayList<>();
			List<ResourceKey> deletions = new ArrayList<>();
			while (upserts.size() < PART && set.hasNext()) {
				Map.Entry<ResourceKey, T> entry = set.next();
				upserts.add(this.snapshot.stored(entry.getKey(), entry.getValue(), false));
			}
			while (upserts.size() < PART && again.hasNext()) {
				Map.Entry<ResourceKey, T> entry = again.next();
				upserts.add(this.snapshot.stored(entry.getKey(), entry.getValue(), true));
			}
			while (upserts.size() < PART && lost.hasNext()) {
				Map.Entry<ResourceKey, UnknownObject> entry = lost.next();
				upserts.add(OpenSnapshot.stored(entry.getKey(), entry.getValue()));
			}
			while (upserts.size() + deletions.size() < PART && removed.hasNext()) {
				deletions.add(removed.next());
			}
			last = !set.hasNext() && !again.hasNext() && !lost.hasNext() && !removed.hasNext();
			Map<String, String> cursors = last ? this.stored.cursorsWith(scope, version)
					: this.stored.cursorsWithout(scope);
			this.snapshot.commit(upserts, deletions, cursors, this.stored.isOneShape(last ? scope : -1));
			Duration took = Duration.ofNanos(this.time.nanoTime() - start);
			this.snapshot.status().committed(cursors, took);
			this.observer.committed(took);
			all = all.plus(took);
		}
		while (!last);
		return all;
	}

}
