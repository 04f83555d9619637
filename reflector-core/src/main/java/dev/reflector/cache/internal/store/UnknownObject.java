package dev.reflector.cache.internal.store;

import dev.reflector.cache.source.ResourceAccessor;

/**
 * A snapshot object with unreadable content. Only its uid and version are known.
 *
 * @param uid the uid of the object, empty if it has none
 * @param resourceVersion the version of the object
 * @param announced whether the addition of the object was announced, but handlers may not
 * have completed it
 * @param ahead whether the mirror had not yet reached the version of the object when this
 * record was created
 */
public record UnknownObject(String uid, String resourceVersion, boolean announced, boolean ahead) {

	/**
	 * Creates an object with a version that the mirror has reached or is assumed to have
	 * reached.
	 * @param uid the uid of the object, empty if it has none
	 * @param resourceVersion the version of the object
	 * @param announced whether the addition of the object was announced, but handlers may
	 * not have completed it
	 */
	public UnknownObject(String uid, String resourceVersion, boolean announced) {
		this(uid, resourceVersion, announced, false);
	}

	/**
	 * Whether {@code object} is this object in the same version, and handlers have
	 * completed the change to this version.
	 * @param <T> the type of the objects
	 * @param object an object with the same key
	 * @param accessor reads metadata
	 */
	public <T> boolean isCompleted(T object, ResourceAccessor<T> accessor) {
		return !this.announced && !isOther(object, accessor) && !this.resourceVersion.isEmpty()
				&& this.resourceVersion.equals(accessor.resourceVersion(object));
	}

	/**
	 * Whether a list may be too old to contain this object. Handlers may have received
	 * the object from one instance of the API server before other instances have it.
	 * @param listVersion the version of the list, or an empty string if the list shows
	 * the newest state, so that it lacks only deleted objects
	 */
	public boolean isNewerThan(String listVersion) {
		return (this.announced || this.ahead) && ResourceVersions.isGreater(this.resourceVersion, listVersion);
	}

	/**
	 * Whether {@code object}, or its deletion, is certainly older than this object with
	 * the same key. This happens if the server repeats earlier events.
	 * @param <T> the type of the objects
	 * @param object an object with the same key
	 * @param accessor reads metadata
	 */
	public <T> boolean isAfter(T object, ResourceAccessor<T> accessor) {
		return isOther(object, accessor) && isNewerThan(accessor.resourceVersion(object));
	}

	/**
	 * Whether {@code object} is certainly another object with the same key, because its
	 * uid is different.
	 * @param <T> the type of the objects
	 * @param object an object with the same key
	 * @param accessor reads metadata
	 */
	public <T> boolean isOther(T object, ResourceAccessor<T> accessor) {
		String other = accessor.uid(object);
		return !this.uid.isEmpty() && !other.isEmpty() && !this.uid.equals(other);
	}

}
