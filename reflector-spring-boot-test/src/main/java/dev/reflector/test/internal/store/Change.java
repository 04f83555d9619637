package dev.reflector.test.internal.store;

import dev.reflector.test.internal.api.ServedType;
import org.jspecify.annotations.Nullable;

/**
 * One write to a collection, as its history remembers it.
 */
public final class Change {

	private final long resourceVersion;

	private final @Nullable StoredObject before;

	private final @Nullable StoredObject after;

	private volatile @Nullable StoredObject farewell;

	/**
	 * Remembers a write.
	 * @param resourceVersion the version of the write
	 * @param before what was there, {@code null} when the write created the object
	 * @param after what is there now, {@code null} when the write deleted the object
	 */
	Change(long resourceVersion, @Nullable StoredObject before, @Nullable StoredObject after) {
		this.resourceVersion = resourceVersion;
		this.before = before;
		this.after = after;
	}

	public long resourceVersion() {
		return this.resourceVersion;
	}

	public @Nullable StoredObject before() {
		return this.before;
	}

	public @Nullable StoredObject after() {
		return this.after;
	}

	/**
	 * The object that was there, as the last event about it shows it (W-25): with its
	 * last content and the version of this write.
	 * @param type the type of the collection
	 * @return the object
	 * @throws IllegalStateException when the write created the object
	 */
	public StoredObject farewell(ServedType type) {
		StoredObject farewell = this.farewell;
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
