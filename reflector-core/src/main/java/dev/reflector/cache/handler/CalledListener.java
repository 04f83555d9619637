package dev.reflector.cache.handler;

import dev.reflector.cache.internal.call.ListenerCall;

/**
 * Names the listener that the current thread calls, for the warnings about one that does
 * not return. A reflector names each of its handlers; a handler that calls several
 * listeners names those. Does nothing on threads that no reflector delivers on.
 *
 * @since 0.1.0
 */
public final class CalledListener {

	private CalledListener() {
	}

	/**
	 * A listener is about to be called, in place of the one that was called before.
	 * @param name its name, human-readable
	 */
	public static void enter(String name) {
		ListenerCall call = ListenerCall.current();
		if (call != null) {
			call.enter(name);
		}
	}

	/**
	 * No listener is called from now on, for example until the next attempt.
	 */
	public static void leave() {
		ListenerCall call = ListenerCall.current();
		if (call != null) {
			call.leave();
		}
	}

}
