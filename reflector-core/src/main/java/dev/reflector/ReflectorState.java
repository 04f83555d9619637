package dev.reflector;

/**
 * What a reflector is doing right now.
 *
 * @since 0.1.0
 */
public enum ReflectorState {

	/** Not started, or stopped for good. */
	STOPPED,

	/** Started, no request made yet. */
	STARTING,

	/** Getting the full state, by a list or by the initial part of a watch. */
	LISTING,

	/** Following changes, or about to reopen a watch that ended normally. */
	WATCHING,

	/**
	 * The server cannot watch the type, so it is listed again after each
	 * {@code poll-interval}. Intermediate changes between two lists are not seen.
	 */
	POLLING,

	/** Failing: waiting for the next attempt, or making it. */
	BACKING_OFF,

	/**
	 * The server does not serve the type: its definition (CRD) is not installed yet, or
	 * has been removed. The reflector continues soon after the definition is installed.
	 * The mirror keeps its objects.
	 */
	AWAITING_TYPE,

	/** Paused by {@link Reflector#pause()}; the mirror keeps its objects. */
	PAUSED

}
