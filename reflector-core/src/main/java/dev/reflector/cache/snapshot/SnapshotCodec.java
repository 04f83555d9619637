package dev.reflector.cache.snapshot;

/**
 * Writes objects as bytes and reads them back: the declared fields of a record, no more.
 * Thread-safe.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public interface SnapshotCodec<T> {

	/**
	 * Returns a digest of the written fields and of everything that gives the bytes their
	 * meaning: names, formats, settings. Two codecs with the same digest write the same
	 * bytes for an object, and read the same object from them. When the digest has
	 * changed, a start lists, and compares the stored objects with the list by content.
	 * @return the digest, a short text
	 */
	String shape();

	/**
	 * Writes an object.
	 * @param object the object
	 * @return its bytes, at least one
	 * @throws SnapshotException when the object cannot be written: then only its key, uid
	 * and version are stored. The log shows the message of this exception, so the message
	 * must not reveal any content of the object, and the exception must have no cause.
	 * For any other exception, the log shows only the class
	 */
	byte[] write(T object);

	/**
	 * Reads an object. Bytes that were written with another shape are read as far as
	 * possible.
	 * @param content the bytes
	 * @return the object
	 * @throws SnapshotCorruptException when the bytes contain no object: then its content
	 * is unknown, and a list decides whether it still exists. The log shows the message
	 * of this exception, so the message must not reveal any of the bytes, and the
	 * exception must have no cause. For any other exception, the log shows only the class
	 */
	T read(byte[] content);

}
