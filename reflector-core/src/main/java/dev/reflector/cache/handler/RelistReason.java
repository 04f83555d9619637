package dev.reflector.cache.handler;

/**
 * Why a pass (a full state and the watch after it) has ended.
 *
 * @since 0.1.0
 */
public enum RelistReason {

	/** The list failed. */
	LIST_FAILED,

	/** The watch could not be opened. */
	WATCH_FAILED,

	/** The server has forgotten the version the watch was at (410). */
	EXPIRED,

	/** The watch was closed at once without an event. */
	VERY_SHORT_WATCH,

	/** The watch delivered an error. */
	WATCH_ERROR,

	/** The application asked for a new list. */
	REQUESTED

}
