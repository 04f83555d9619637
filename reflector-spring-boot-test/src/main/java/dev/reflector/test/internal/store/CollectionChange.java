package dev.reflector.test.internal.store;

import dev.reflector.test.internal.api.ServedType;
import org.jspecify.annotations.Nullable;

/**
 * One write to a collection, as its history remembers it.
 */
public final class CollectionChange {

	private final long resourceVersion;

	private final @Nullable ObjectRevision before;

	private final @Nullable ObjectRevision after;

	private volatile @Nullable ObjectRevision farewell;

	/**
	 * Remembers a write.
	 * @param resourceVersion the version of the write
	 * @param before what was there, {@code null} when the write created the object
	 * @param after what is there now, {@code null} when the write deleted the object
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
	 * The object that was there, as the last event about it shows it (W-25): with its
	 * last content and the version of this write.
	 * @param type the type of the collection
	 * @return the object
	 * @throws IllegalStateException when the write created the object
	 */
	public ObjectRevision farewell(ServedType type) {
		ObjectRevision farewell = this.farewell;
		if (farewell == null) {
			if (this.before == null) {
				throw new IllegalStateException("There was no object before");
			}
			// rendered twice when two watches race for it, which does no harm
			farewell = this.before.at(type, this.resourceVersion);
			this.farewell = farewell;
		}
		return farewell;
	}

}
