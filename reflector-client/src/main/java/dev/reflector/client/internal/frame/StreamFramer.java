package dev.reflector.client.internal.frame;

/**
 * Cuts the body of a watch into its frames.
 */
public interface StreamFramer extends Framer {

	/**
	 * The number of bytes that are allowed in addition to an object, for the frame around
	 * it.
	 */
	int ENVELOPE = 1024;

	/** The deepest nesting that is allowed in a frame; decoders accept far less. */
	int MAX_DEPTH = 1 << 17;

	/**
	 * The size from which a frame ends the watch, unless objects may be nearly as large.
	 */
	int LARGEST = 64 * 1024 * 1024;

	/**
	 * Whether the bytes so far end within a frame.
	 * @return whether a frame is incomplete
	 */
	boolean isInFrame();

	/**
	 * Returns the size from which a frame ends the watch. A frame between the largest
	 * object and this size is skipped, because one large object must not end the watch. A
	 * frame beyond this size may have no end.
	 * @param maxObjectSize the largest accepted object
	 * @return the number of bytes
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
