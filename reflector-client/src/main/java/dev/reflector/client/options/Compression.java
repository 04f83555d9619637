package dev.reflector.client.options;

/**
 * Which answers an API server is asked to compress, with gzip. It saves bytes on the
 * network and costs time on both of its ends, so it pays over slow links only. A server
 * may always answer without.
 *
 * @since 0.1.0
 */
public enum Compression {

	/** None. */
	NONE,

	/** Lists, which servers compress as a whole. */
	LISTS,

	/**
	 * Lists and watches. Servers compress the state at the beginning of a watch, and what
	 * follows it, event by event.
	 */
	ALL

}
