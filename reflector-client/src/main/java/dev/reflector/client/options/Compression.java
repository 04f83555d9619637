package dev.reflector.client.options;

/**
 * Which responses the API server is asked to compress with gzip. Compression saves bytes
 * on the network and costs time at both ends, so it pays off only over slow links. A
 * server may always respond without.
 *
 * @since 0.1.0
 */
public enum Compression {

	/** None. */
	NONE,

	/** Lists. */
	LISTS,

	/**
	 * Lists and watches, both the initial objects of a watch and each event.
	 */
	ALL

}
