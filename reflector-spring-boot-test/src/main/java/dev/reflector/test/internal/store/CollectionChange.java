package dev.reflector.test.internal.store;

import dev.reflector.test.internal.api.ServedType;
import org.jspecify.annotations.Nullable;

/**
 * One write to a collection, as an entry of its history.
 */
public final class CollectionChange {

	private final long resourceVersion;

	private final @Nullable ObjectRevision before;

	private final @Nullable ObjectRevision after;

	private volatile @Nullable ObjectRevision farewell;

	/**
	 * Creates an entry.
	 * @param resourceVersion the version of the write
	 * @param before the object before the write, or {@code null} if the write created it
	 * @param after the object after the write, or {@code null} if the write deleted it
	 */
	CollectionChange(long resourceVersion, @Nullable ObjectRevision before, @Nullable ObjectRevision after) {
		this.resourceVersion = resourceVersion;
		this.before = before;
		this.after = after;
	}

	public long resourceVersion() {
		return this.resourceVersion;
	}

	public @Nullable ObjectRevision before() {
		return this.before;
	}

	public @Nullable ObjectRevision after() {
		return this.after;
	}

	/**
	 * Returns the object for a {@code DELETED} event (W-25): the content before this
	 * write, but with the version of this write.
	 * @param type the type of the collection
	 * @return the object
	 * @throws IllegalStateException if the write created the object
	 */
	public ObjectRevision farewell(ServedType type) {
		ObjectRevision farewell = this.farewell;
		if (farewell == null) {
			if (this.before == null) {
				throw new IllegalStateException("There was no object before");
			}
			// if two watches call this method at the same time, both may render the
			// object, which does no harm
			farewell = this.before.at(type, this.resourceVersion);
			this.farewell = farewell;
		}
		return farewell;
	}

}
