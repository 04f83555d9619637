package dev.reflector.cache.internal.store;

import dev.reflector.cache.source.ResourceAccessor;

/**
 * An object of a snapshot whose content cannot be read, so that little more than its
 * version is known.
 *
 * @param uid the uid, empty if the object has none
 * @param resourceVersion the version
 * @param announced whether the addition of the object was announced, but handlers may not
 * have completed it
 * @param ahead whether the mirror had not reached the version
 */
public record UnknownObject(String uid, String resourceVersion, boolean announced, boolean ahead) {

	/**
	 * Creates an object whose version is not known to be newer than the mirror's.
	 * @param uid the uid
	 * @param resourceVersion the version
	 * @param announced whether the addition of the object was announced, but handlers may
	 * not have completed it
	 */
	public UnknownObject(String uid, String resourceVersion, boolean announced) {
		this(uid, resourceVersion, announced, false);
	}

	/**
	 * Whether handlers have completed an object, because it is this object in the same
	 * version.
	 * @param <T> the type of the objects
	 * @param object an object of the same name
	 * @param accessor reads metadata
	 */
	public <T> boolean isCompleted(T object, ResourceAccessor<T> accessor) {
		return !this.announced && !isOther(object, accessor) && !this.resourceVersion.isEmpty()
				&& this.resourceVersion.equals(accessor.resourceVersion(object));
	}

	/**
	 * Whether a list may be too old to have this object. Handlers may have received the
	 * object from one member of the server before the other members have it.
	 * @param listVersion version of the list
	 */
	public boolean isNewerThan(String listVersion) {
		return (this.announced || this.ahead) && ResourceVersions.isGreater(this.resourceVersion, listVersion);
	}

	/**
	 * Whether an object of the same name, or its deletion, is certainly older than this
	 * one, because the server repeats earlier events.
	 * @param <T> the type of the objects
	 * @param object the object
	 * @param accessor reads metadata
	 */
	public <T> boolean isAfter(T object, ResourceAccessor<T> accessor) {
		return isOther(object, accessor) && isNewerThan(accessor.resourceVersion(object));
	}

	/**
	 * Whether an object of the same name is certainly another one, because its uid is
	 * different.
	 * @param <T> the type of the objects
	 * @param object the object
	 * @param accessor reads metadata
	 */
	public <T> boolean isOther(T object, ResourceAccessor<T> accessor) {
		String other = accessor.uid(object);
		return !this.uid.isEmpty() && !other.isEmpty() && !this.uid.equals(other);
	}

}
