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
	 * A digest of what is written of an object. Two codecs of one digest read what the
	 * other has written.
	 * @return the digest, a short text
	 */
	String shape();

	/**
	 * Writes an object.
	 * @param object the object
	 * @return its bytes
	 * @throws RuntimeException when the object cannot be written
	 */
	byte[] write(T object);

	/**
	 * Reads an object. What was written with another shape is read as far as possible.
	 * @param content the bytes
	 * @return the object
	 * @throws RuntimeException when the bytes make no object
	 */
	T read(byte[] content);

}
