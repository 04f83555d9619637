package dev.reflector.client.internal.frame;

/**
 * Cuts the body of a watch into its frames.
 */
public interface StreamFramer extends Framer {

	/** What a list would accept as an object, a watch accepts within its envelope. */
	int ENVELOPE = 1024;

	/** How deep a frame may be nested: far more than decoders accept. */
	int MAX_DEPTH = 1 << 17;

	/** A frame larger than this is given up, unless much larger ones are accepted. */
	int LARGEST = 64 * 1024 * 1024;

	/**
	 * Whether the bytes so far end within a frame.
	 * @return whether a frame is incomplete
	 */
	boolean isInFrame();

	/**
	 * How many bytes a frame may have. What is too large to be accepted is passed over up
	 * to there, as one object that is too large must not end the watch; what has not
	 * ended by then may never end.
	 * @param maxObjectSize how large an object may be to be accepted
	 * @return the number of bytes
	 */
	static long largest(int maxObjectSize) {
		return Math.max(LARGEST, 4L * (maxObjectSize + ENVELOPE));
	}

	/**
	 * What of a frame is on its way.
	 * @return the same for the whole body
	 */
	OpenFrame open();

}
