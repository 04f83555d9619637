package dev.reflector.cache.handler;

/**
 * Why a pass (a full state and the watch after it) has ended, so that the reflector
 * requests the full state again.
 *
 * @since 0.1.0
 */
public enum RelistReason {

	/** The list failed. */
	LIST_FAILED,

	/** The watch could not be opened. */
	WATCH_FAILED,

	/** The version of the watch has expired on the server (410). */
	EXPIRED,

	/** The watch was closed at once, without an event. */
	VERY_SHORT_WATCH,

	/** The watch delivered an error. */
	WATCH_ERROR,

	/** The application requested a new list. */
	REQUESTED

}
