package dev.reflector.cache.informer;

import java.util.ArrayList;
import java.util.List;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.queue.Delta;
import dev.reflector.cache.internal.store.UnknownObject;
import dev.reflector.cache.internal.store.UnknownObjects;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Finds the changes of snapshot objects whose content cannot be read. Used while the
 * mirror is written.
 *
 * @param <T> the type of the objects
 * @param objects the objects whose content cannot be read, until the server has shown
 * whether they still exist
 * @param accessor reads metadata
 */
record UnknownChanges<T>(UnknownObjects objects, ResourceAccessor<T> accessor) {

	boolean isEmpty() {
		return this.objects.isEmpty();
	}

	/**
	 * Whether the snapshot contains an object of the server in the same version, but with
	 * unreadable content, and handlers have completed that version.
	 */
	boolean isCompleted(ResourceKey key, T object) {
		UnknownObject unknown = this.objects.get(key);
		return unknown != null && unknown.isCompleted(object, this.accessor);
	}

	/**
	 * Removes the unreadable object of a key, because the server has sent an object with
	 * this key.
	 * @param key the key of the object
	 * @param object the object of the server
	 * @param cause how the reflector found the object
	 * @return the deletion of the unreadable object, if {@code object} is another object
	 * with the same key, and not an older one; otherwise {@code null}
	 */
	@Nullable Change<T> replaced(ResourceKey key, T object, Change.Cause cause) {
		UnknownObject unknown = this.objects.remove(key);
		return (unknown != null && unknown.isOther(object, this.accessor) && !unknown.isAfter(object, this.accessor))
				? deletion(key, unknown, cause) : null;
	}

	/**
	 * Removes the unreadable object of a key, because an object with this key was
	 * deleted.
	 * @param key the key of the deleted object
	 * @param last the last state of the deleted object, which may be another object than
	 * the unreadable one; {@code null} if it is not known
	 * @param cause how the reflector found the deletion
	 * @return the deletion of the unreadable object, with the content of {@code last}
	 * unless {@code last} is {@code null} or another object; {@code null} if there is no
	 * unreadable object of this key, or if the unreadable object is newer than the
	 * deletion
	 */
	@Nullable Change<T> deleted(ResourceKey key, @Nullable T last, Change.Cause cause) {
		UnknownObject unknown = this.objects.get(key);
		if (unknown != null && last != null && unknown.isAfter(last, this.accessor)) {
			return null;
		}
		this.objects.remove(key);
		if (unknown == null || last == null || unknown.isOther(last, this.accessor)) {
			return (unknown != null) ? deletion(key, unknown, cause) : null;
		}
		return new Change<>(Change.Type.DELETED, key, last, last, this.accessor.resourceVersion(last), false, false,
				cause);
	}

	/**
	 * Removes the objects that are missing from a complete state, and returns their
	 * deletions.
	 */
	List<Change<T>> gone(Delta.Replacement<T> replacement, Change.Cause cause) {
		List<Change<T>> gone = new ArrayList<>();
		this.objects.forEach((key, unknown) -> {
			if (replacement.lacks(key) && !unknown.isNewerThan(replacement.mayLackObjectsAfter())) {
				gone.add(deletion(key, unknown, cause));
			}
		});
		gone.forEach((change) -> this.objects.remove(change.key()));
		return gone;
	}

	private Change<T> deletion(ResourceKey key, UnknownObject unknown, Change.Cause cause) {
		return Change.ofUnknownContent(key, unknown.uid(), unknown.resourceVersion(), cause);
	}

}
