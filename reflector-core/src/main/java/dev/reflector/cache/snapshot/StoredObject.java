package dev.reflector.cache.snapshot;

import java.util.Arrays;
import java.util.Objects;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * An object of a snapshot.
 *
 * @param key the key of the object
 * @param uid the uid of the object, empty when it has none
 * @param resourceVersion the resource version of the object
 * @param content the bytes of the declared fields; must not be changed. Empty if the
 * object could not be written: after a restart, only its key, uid and version are known
 * @param announced whether the object was only announced: it was stored before listeners
 * received it, and no later commit has confirmed that they received it. Otherwise, the
 * object is part of the state at the cursor
 * @since 0.1.0
 */
public record StoredObject(ResourceKey key, String uid, String resourceVersion, byte[] content, boolean announced) {

	/**
	 * Creates an object that is part of the state at the cursor.
	 * @param key the key of the object
	 * @param uid the uid of the object, empty when it has none
	 * @param resourceVersion the resource version of the object
	 * @param content the bytes of the declared fields
	 */
	public StoredObject(ResourceKey key, String uid, String resourceVersion, byte[] content) {
		this(key, uid, resourceVersion, content, false);
	}

	/**
	 * Whether the object could not be written, so that only its key, uid and version are
	 * stored. A store keeps such an object like any other.
	 * @return {@code true} if the content is empty
	 */
	public boolean contentUnknown() {
		return this.content.length == 0;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof StoredObject object && this.key.equals(object.key) && this.uid.equals(object.uid)
				&& this.resourceVersion.equals(object.resourceVersion) && this.announced == object.announced
				&& Arrays.equals(this.content, object.content);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.key, this.uid, this.resourceVersion);
	}

	@Override
	public String toString() {
		return this.key + " at resource version " + this.resourceVersion + " (" + this.content.length + " bytes)";
	}

}
