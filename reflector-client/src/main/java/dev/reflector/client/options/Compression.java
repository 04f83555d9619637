package dev.reflector.client.options;

/**
 * Which responses the API server is asked to compress with gzip. Compression saves bytes
 * on the network and costs time at both ends, so it pays off only over slow links. A
 * server may always respond without compression.
 *
 * @since 0.1.0
 */
public enum Compression {

	/** No responses are compressed. */
	NONE,

	/** Lists are compressed. */
	LISTS,

	/**
	 * Lists and watches are compressed. In a watch, this applies to the initial objects
	 * and to each event.
	 */
	ALL

}
