package dev.reflector.cache.internal.store;

import dev.reflector.cache.source.ResourceAccessor;

/**
 * The part of an object that is known when its content in a snapshot cannot be read.
 *
 * @param uid its uid, empty when it has none
 * @param resourceVersion its version
 * @param announced whether its addition was only announced, so handlers may not have
 * completed it
 * @param ahead whether the mirror had not reached its version
 */
public record UnknownObject(String uid, String resourceVersion, boolean announced, boolean ahead) {

	/**
	 * Creates an object whose version the mirror has reached, as far as known.
	 * @param uid its uid
	 * @param resourceVersion its version
	 * @param announced whether its addition was only announced
	 */
	public UnknownObject(String uid, String resourceVersion, boolean announced) {
		this(uid, resourceVersion, announced, false);
	}

	/**
	 * Whether an object is this one, so that handlers have completed it.
	 * @param <T> the type of the objects
	 * @param object an object of the same name
	 * @param accessor reads metadata
	 */
	public <T> boolean isCompleted(T object, ResourceAccessor<T> accessor) {
		return !this.announced && !isOther(object, accessor) && !this.resourceVersion.isEmpty()
				&& this.resourceVersion.equals(accessor.resourceVersion(object));
	}

	/**
	 * Whether a list may be too old to have this object: handlers may have received it
	 * before all members of the server have got it.
	 * @param listVersion version of the list
	 */
	public boolean isNewerThan(String listVersion) {
		return (this.announced || this.ahead) && ResourceVersions.isGreater(this.resourceVersion, listVersion);
	}

	/**
	 * Whether an object of the same name, or its deletion, is certainly older than this
	 * one, because the server repeats an earlier change.
	 * @param <T> the type of the objects
	 * @param object the object
	 * @param accessor reads metadata
	 */
	public <T> boolean isAfter(T object, ResourceAccessor<T> accessor) {
		return isOther(object, accessor) && isNewerThan(accessor.resourceVersion(object));
	}

	/**
	 * Whether an object of the same name is a different object.
	 * @param <T> the type of the objects
	 * @param object the object
	 * @param accessor reads metadata
	 */
	public <T> boolean isOther(T object, ResourceAccessor<T> accessor) {
		String other = accessor.uid(object);
		return !this.uid.isEmpty() && !other.isEmpty() && !this.uid.equals(other);
	}

}
