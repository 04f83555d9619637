package dev.reflector.actuate.metrics;

/**
 * How a watch has ended.
 */
enum WatchEnd {

	/** The server has ended it. */
	ENDED,

	/** Its connection was lost. */
	LOST,

	/** The client has ended it, because nothing more arrived. */
	SILENT,

	/** With an error, or an error event. */
	FAILED,

	/** The reflector has ended it. */
	GIVEN_UP

}
