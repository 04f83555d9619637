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
	 * A digest of what is written of an object, and of all that gives the bytes their
	 * meaning: names, formats, settings. Two codecs of one digest write the same bytes of
	 * an object, and read the same object from them. When it has changed, a start lists
	 * and compares what is stored with the list, by content.
	 * @return the digest, a short text
	 */
	String shape();

	/**
	 * Writes an object.
	 * @param object the object
	 * @return its bytes, at least one
	 * @throws SnapshotException when the object cannot be written: then only its key, uid
	 * and version are stored. The log shows its message, so that must have nothing of the
	 * object in it, and it must have no cause. Of any other exception only the class is
	 * shown
	 */
	byte[] write(T object);

	/**
	 * Reads an object. What was written with another shape is read as far as possible.
	 * @param content the bytes
	 * @return the object
	 * @throws SnapshotCorruptException when the bytes make no object: its content is
	 * unknown then, and a list decides what has become of it. The log shows its message,
	 * so that must have nothing of the bytes in it, and it must have no cause. Of any
	 * other exception only the class is shown
	 */
	T read(byte[] content);

}
