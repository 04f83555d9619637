package dev.reflector.client.options;

/**
 * The responses that the API server is asked to compress with gzip. Compression saves
 * bytes on the network, but costs processor time on both sides. So it is useful only on
 * slow networks. A server may always respond without compression.
 *
 * @since 0.1.0
 */
public enum Compression {

	/** No responses are compressed. */
	NONE,

	/** Lists are compressed. */
	LISTS,

	/**
	 * Lists and watches are compressed. In a watch, both the initial objects and later
	 * events are compressed.
	 */
	ALL

}
