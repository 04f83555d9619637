package dev.reflector.client.internal.frame;

/**
 * Cuts the body of a watch into its frames.
 */
public interface StreamFramer extends Framer {

	/** The number of bytes that a frame may have in addition to its object. */
	int ENVELOPE = 1024;

	/** The deepest nesting that is allowed in a frame. Decoders accept much less. */
	int MAX_DEPTH = 1 << 17;

	/**
	 * The size in bytes from which a frame ends the watch, unless the limit for objects
	 * is nearly as large.
	 */
	int LARGEST = 64 * 1024 * 1024;

	/**
	 * Returns whether the bytes that have arrived end within a frame.
	 * @return {@code true} if a frame is incomplete
	 */
	boolean isInFrame();

	/**
	 * Returns the size from which a frame ends the watch. A smaller frame is skipped if
	 * its object is too large, because one large object must not end the watch. A larger
	 * frame may have no end.
	 * @param maxObjectSize the size of the largest accepted object, in bytes
	 * @return the size in bytes
	 */
	static long largest(int maxObjectSize) {
		return Math.max(LARGEST, 4L * (maxObjectSize + ENVELOPE));
	}

	/**
	 * Returns the measurement of how long a frame has been incomplete.
	 * @return the same instance for the whole body
	 */
	OpenFrame open();

}
