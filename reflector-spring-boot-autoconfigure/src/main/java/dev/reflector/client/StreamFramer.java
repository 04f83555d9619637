package dev.reflector.client;

/**
 * Cuts the body of a watch into its frames.
 */
interface StreamFramer extends Framer {

	/** What a list would accept as an object, a watch accepts within its envelope. */
	int ENVELOPE = 1024;

	/**
	 * Whether the bytes so far end within a frame.
	 * @return whether a frame is incomplete
	 */
	boolean isInFrame();

	static StreamFramer of(ObjectFormat format, int maxObjectSize) {
		return (format == ObjectFormat.CBOR) ? new CborWatchFramer(maxObjectSize) : new WatchFramer(maxObjectSize);
	}

}
