package dev.reflector;

/**
 * What a reflector is doing right now.
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

	/** Failing: waiting for the next attempt, or making it. */
	BACKING_OFF,

	/** Held by {@link Reflector#pause()}; the mirror keeps what it has. */
	PAUSED

}
