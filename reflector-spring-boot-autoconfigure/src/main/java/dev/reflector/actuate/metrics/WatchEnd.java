package dev.reflector.actuate.metrics;

/**
 * How a watch has ended.
 */
enum WatchEnd {

	/** By the server, in order. */
	ENDED,

	/** With its connection. */
	LOST,

	/** By the client, because nothing more came. */
	SILENT,

	/** With an error, or with a frame that says so. */
	FAILED,

	/** By us. */
	GIVEN_UP

}
