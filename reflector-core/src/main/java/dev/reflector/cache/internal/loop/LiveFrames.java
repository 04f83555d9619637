package dev.reflector.cache.internal.loop;

import java.util.function.Consumer;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.queue.DeltaFifo;
import dev.reflector.cache.internal.store.SkippedVersions;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.UnusableMetadataException;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * Hands the frames of a watch on to the queue.
 *
 * @param <T> the type of the objects
 */
final class LiveFrames<T> {

	private final @Nullable String namespace;

	private final DeltaFifo<T> fifo;

	private final ResourceAccessor<T> accessor;

	private final Consumer<SkippedObject> onSkipped;

	private final SkippedVersions skipped;

	private final boolean clientGo;

	/** Whether events come in the order of their versions. */
	private final boolean ordered;

	LiveFrames(@Nullable String namespace, DeltaFifo<T> fifo, ResourceAccessor<T> accessor,
			Consumer<SkippedObject> onSkipped, SkippedVersions skipped, boolean clientGo, boolean ordered) {
		this.namespace = namespace;
		this.fifo = fifo;
		this.accessor = accessor;
		this.onSkipped = onSkipped;
		this.skipped = skipped;
		this.clientGo = clientGo;
		this.ordered = ordered;
	}

	/**
	 * Hands a frame on.
	 * @param event the frame
	 * @param memory knows the last version. Where versions compare, an older object does
	 * not move the position back, and counts only if the mirror has nothing newer
	 * @return the version it brought, empty for none; {@code null} when only a list can
	 * show what has happened
	 */
	@Nullable String apply(WatchEvent<T> event, LoopMemory memory) {
		if (event instanceof WatchEvent.Skipped<T> skipped) {
			return skip(skipped, memory);
		}
		if (event instanceof WatchEvent.Bookmark<T> bookmark) {
			this.fifo.bookmark(this.namespace, bookmark.resourceVersion());
			return bookmark.resourceVersion();
		}
		try {
			T object = WatchReader.object(event);
			String version = this.accessor.resourceVersion(object);
			if (isLate(version, memory)) {
				late(event, object);
				version = "";
			}
			else if (event instanceof WatchEvent.Added<T>) {
				this.fifo.add(object);
			}
			else if (event instanceof WatchEvent.Modified<T>) {
				this.fifo.update(object);
			}
			else {
				this.fifo.delete(object);
			}
			this.skipped.forget(() -> this.accessor.key(object));
			return version;
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			this.onSkipped.accept(new SkippedObject(null, "", UnusableMetadataException.reason(ex)));
			return (event instanceof WatchEvent.Deleted<T> && !this.clientGo) ? null : "";
		}
	}

	private boolean isLate(String version, LoopMemory memory) {
		return this.ordered && !this.clientGo && memory.isAheadOf(version);
	}

	private void late(WatchEvent<T> event, T object) {
		if (event instanceof WatchEvent.Deleted<T>) {
			this.fifo.lateDelete(object);
		}
		else {
			this.fifo.late(object);
		}
	}

	private @Nullable String skip(WatchEvent.Skipped<T> skipped, LoopMemory memory) {
		SkippedObject object = skipped.object();
		this.onSkipped.accept(object);
		ResourceKey key = object.key();
		if (skipped.deletion() && key != null) {
			this.skipped.forget(() -> key);
		}
		if (this.clientGo) {
			// as if it had never come
			return "";
		}
		if (skipped.type().isEmpty() || (skipped.deletion() && key == null)) {
			// E-10: an object may have been deleted, and its key is unknown
			return null;
		}
		if (isLate(object.resourceVersion(), memory)) {
			// without the object it is unknown whether the mirror has something newer
			return skipped.deletion() ? null : "";
		}
		if (skipped.deletion() && key != null) {
			this.fifo.delete(key);
		}
		// the mirror keeps the object's last readable state, and the version counts as
		// reached
		this.fifo.pass(this.namespace, object.resourceVersion());
		return object.resourceVersion();
	}

}
