package dev.reflector.cache.snapshot;

/**
 * Converts objects to bytes and back. The bytes contain only the declared fields of a
 * record. Thread-safe.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public interface SnapshotCodec<T> {

	/**
	 * Returns a digest of the written fields and of everything that gives the bytes their
	 * meaning: names, formats, settings. Two codecs with the same digest write the same
	 * bytes for an object, and read the same object from the same bytes. If the digest
	 * has changed since the snapshot was stored, the reflector lists when it starts, and
	 * compares the content of the stored and the listed objects.
	 * @return the digest, a short text
	 */
	String shape();

	/**
	 * Converts an object to bytes.
	 * @param object the object
	 * @return the bytes, at least one
	 * @throws SnapshotException when the object cannot be written. Then only its key, uid
	 * and version are stored. The log shows the message of this exception, so the message
	 * must not reveal any content of the object, and the exception must have no cause.
	 * For any other exception, the log shows only the class
	 */
	byte[] write(T object);

	/**
	 * Reads an object from bytes. If the bytes were written with another
	 * {@link #shape()}, reads the fields that can be read.
	 * @param content the bytes
	 * @return the object
	 * @throws SnapshotCorruptException when the bytes contain no object. Then the content
	 * of the object is unknown, and a list shows whether the object still exists. The log
	 * shows the message of this exception, so the message must not reveal any of the
	 * bytes, and the exception must have no cause. For any other exception, the log shows
	 * only the class
	 */
	T read(byte[] content);

}
