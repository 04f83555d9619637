package dev.reflector.test;

import org.jspecify.annotations.Nullable;

/**
 * One write to a collection, as its history remembers it.
 */
final class Change {

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

	long resourceVersion() {
		return this.resourceVersion;
	}

	@Nullable StoredObject before() {
		return this.before;
	}

	@Nullable StoredObject after() {
		return this.after;
	}

	/**
	 * How the write looks to someone who sees only part of the collection (W-25): an
	 * object that comes into view is added, one that leaves it is deleted.
	 * @param type the type of the collection
	 * @param selection what that someone sees
	 * @return the frame, {@code null} when the write is out of sight
	 */
	@Nullable Frame seenThrough(ServedType type, Selection selection) {
		StoredObject before = this.before;
		StoredObject after = this.after;
		boolean was = before != null && selection.matches(before);
		boolean is = after != null && selection.matches(after);
		if (is && after != null) {
			return was ? Frame.modified(after) : Frame.added(after);
		}
		return (was && before != null) ? Frame.deleted(farewell(type, before)) : null;
	}

	private StoredObject farewell(ServedType type, StoredObject before) {
		StoredObject farewell = this.farewell;
		if (farewell == null) {
			// W-25: the last content, with the version of the deletion. Rendered twice
			// when
			// two watches race for it, which does no harm
			farewell = before.at(type, this.resourceVersion);
			this.farewell = farewell;
		}
		return farewell;
	}

}
