package dev.reflector.write;

import dev.reflector.ResourceKey;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.MissingMetadataException;

/**
 * The identity of a mirrored object. It always has a uid. Without a uid, a write could
 * change another object with the same name, or create the object again.
 *
 * @param key the key of the object
 * @param uid the uid of the object
 */
record MirroredIdentity(ResourceKey key, String uid) {

	/**
	 * Returns the identity of a mirrored object.
	 * @param <T> the type of the object
	 * @param object the object
	 * @return the identity
	 * @throws IllegalArgumentException if the metadata of the object has no name or no
	 * uid; the message says what to declare
	 */
	@SuppressWarnings("unchecked")
	static <T> MirroredIdentity of(T object) {
		Class<T> type = (Class<T>) object.getClass();
		if (type.isAnnotationPresent(AppliedResource.class)) {
			throw new IllegalArgumentException(type.getName() + " is applied, not mirrored: pass the mirrored object, "
					+ "or key and uid of the object");
		}
		try {
			return read(MetadataAccessor.forType(type), object, "the metadata of " + type.getName());
		}
		catch (MissingMetadataException ex) {
			throw new IllegalArgumentException(type.getName()
					+ " is not a mirrored type: pass a mirrored object, or key and uid of the " + "object", ex);
		}
	}

	/**
	 * Returns the identity of an object with the given metadata.
	 * @param <M> the type of the metadata
	 * @param metadata the metadata
	 * @return the identity of the object
	 * @throws IllegalArgumentException if the metadata has no name or no uid; the message
	 * says what to declare
	 */
	@SuppressWarnings("unchecked")
	static <M> MirroredIdentity ofMetadata(M metadata) {
		Class<M> type = (Class<M>) metadata.getClass();
		try {
			return read(MetadataAccessor.forMetadata(type), metadata, type.getName());
		}
		catch (MissingMetadataException ex) {
			throw new IllegalArgumentException(type.getName()
					+ " is not the metadata of a mirrored object: pass what the object has as 'metadata'", ex);
		}
	}

	private static <T> MirroredIdentity read(MetadataAccessor<T> accessor, T from, String where) {
		ResourceKey key = accessor.key(from);
		String uid = accessor.uid(from);
		if (uid.isEmpty()) {
			throw new IllegalArgumentException("there is no uid of '" + key + "': declare a component 'String uid' in "
					+ where + ", so that a write means this object and never creates another, or use "
					+ "AppliedMeta.named(…) if it may");
		}
		return new MirroredIdentity(key, uid);
	}

}
