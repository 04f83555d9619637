package dev.reflector.cache.internal.loop;

import java.util.HashMap;
import java.util.Map;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of the objects that the mirror will hold once all received changes have been
 * applied. Keeps nothing if the mirror has no limit. Used by the thread that has the turn
 * of the loop's {@link Mailbox}.
 *
 * @param <T> the type of the objects
 */
final class HeldSizes<T> {

	private final MirrorSize mirror;

	private final ResourceAccessor<T> accessor;

	private Map<ResourceKey, Integer> sizes = new HashMap<>();

	private long bytes;

	HeldSizes(MirrorSize mirror, ResourceAccessor<T> accessor) {
		this.mirror = mirror;
		this.accessor = accessor;
	}

	boolean isLimited() {
		return this.mirror.isLimited();
	}

	/**
	 * Counts the objects of a mirror that was filled from a snapshot. Their sizes are
	 * unknown and count as zero.
	 * @param mirror the mirror
	 * @param namespace the namespace that the loop follows, or {@code null} for all
	 */
	void restored(Indexer<T> mirror, @Nullable String namespace) {
		if (isLimited()) {
			mirror.forEach((key, object) -> {
				if (namespace == null || namespace.equals(key.namespace())) {
					put(key, 0);
				}
			});
		}
	}

	/**
	 * Counts a frame of a watch.
	 * @param event the frame
	 * @return why the mirror has no room for the object of the frame, which may be
	 * unreadable; {@code null} if the mirror has room, or if the frame contains no object
	 */
	@Nullable Failure take(WatchEvent<T> event) {
		if (!isLimited()) {
			return null;
		}
		try {
			if (event instanceof WatchEvent.Added<T> added) {
				return put(this.accessor.key(added.object()), added.size());
			}
			if (event instanceof WatchEvent.Modified<T> modified) {
				return put(this.accessor.key(modified.object()), modified.size());
			}
			if (event instanceof WatchEvent.Deleted<T> deleted) {
				remove(this.accessor.key(deleted.object()));
			}
			else if (event instanceof WatchEvent.Skipped<T> skipped && skipped.object().key() != null) {
				return skip(skipped, skipped.object().key());
			}
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			// an object without a key does not reach the mirror
		}
		return null;
	}

	/**
	 * Counts an object that could not be read with the length of its key, because its key
	 * is kept until the object can be read or no longer exists.
	 */
	private @Nullable Failure skip(WatchEvent.Skipped<T> skipped, ResourceKey key) {
		if (skipped.deletion()) {
			remove(key);
		}
		boolean counts = !skipped.deletion() && !skipped.type().equals("BOOKMARK") && !this.sizes.containsKey(key);
		return counts ? put(key, FullState.length(key)) : null;
	}

	private @Nullable Failure put(ResourceKey key, int size) {
		Integer before = this.sizes.get(key);
		int more = size - ((before != null) ? before : 0);
		Failure exceeded = this.mirror.add((before != null) ? 0 : 1, more);
		if (exceeded == null) {
			this.sizes.put(key, size);
			this.bytes += more;
		}
		return exceeded;
	}

	private void remove(ResourceKey key) {
		Integer before = this.sizes.remove(key);
		if (before != null) {
			this.bytes -= before;
			this.mirror.add(-1, -before);
		}
	}

	/**
	 * Returns why the mirror has no room for the part of a full state that has arrived so
	 * far, or {@code null} if it has room.
	 */
	@Nullable Failure exceeded(FullState<T> state) {
		if (!isLimited()) {
			return null;
		}
		// until the full state is complete, objects that could not be read count as well
		return this.mirror.exceeded(state.keys() - this.sizes.size(),
				state.bytes() + state.retainedBytes() - this.bytes);
	}

	/**
	 * Replaces the counted objects by those of a complete full state.
	 * @param state the state
	 * @return why the mirror has no room for the state, or {@code null} if it has room
	 */
	@Nullable Failure replace(FullState<T> state) {
		if (!isLimited()) {
			return null;
		}
		Map<ResourceKey, Integer> next = state.sizes();
		long bytes = state.bytes();
		for (ResourceKey key : (state.nameless() > 0) ? this.sizes.keySet() : state.retained()) {
			// the mirror keeps the last readable state of this object
			Integer before = this.sizes.get(key);
			if (before != null && next.putIfAbsent(key, before) == null) {
				bytes += before;
			}
		}
		Failure exceeded = this.mirror.add(next.size() - this.sizes.size(), bytes - this.bytes);
		if (exceeded == null) {
			this.sizes = next;
			this.bytes = bytes;
		}
		return exceeded;
	}

}
