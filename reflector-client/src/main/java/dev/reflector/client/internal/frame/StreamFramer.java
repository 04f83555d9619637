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
	 * The largest accepted frame in bytes. The bound is higher if the largest accepted
	 * object is larger than about a quarter of this size.
	 */
	int LARGEST = 64 * 1024 * 1024;

	/**
	 * Returns whether the bytes that have arrived end within a frame.
	 * @return {@code true} if a frame is incomplete
	 */
	boolean isInFrame();

	/**
	 * Returns the size of the largest accepted frame. A larger frame ends the watch,
	 * because such a frame may have no end. A smaller frame whose object is too large is
	 * only skipped, because one large object must not end the watch.
	 * @param maxObjectSize the size of the largest accepted object, in bytes
	 * @return the size in bytes
	 */
	static long largest(int maxObjectSize) {
		return Math.max(LARGEST, 4L * (maxObjectSize + ENVELOPE));
	}

	/**
	 * Returns the object that measures how long the current frame has been incomplete.
	 * @return the same instance for the whole body
	 */
	OpenFrame open();

}
