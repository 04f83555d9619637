package dev.reflector.cache.handler;

import dev.reflector.cache.internal.call.ListenerCall;

/**
 * Records which listener the current thread calls, for the warnings about slow listeners.
 * A reflector records each of its handlers, and a handler that calls several listeners
 * records each of these. Does nothing on threads on which no reflector delivers.
 *
 * @since 0.1.0
 */
public final class CalledListener {

	private CalledListener() {
	}

	/**
	 * Notes that a listener is about to be called, instead of the one noted before.
	 * @param name name of the listener, human-readable
	 */
	public static void enter(String name) {
		ListenerCall call = ListenerCall.current();
		if (call != null) {
			call.enter(name);
		}
	}

	/**
	 * Notes that no listener is called from now on, for example until the next attempt.
	 */
	public static void leave() {
		ListenerCall call = ListenerCall.current();
		if (call != null) {
			call.leave();
		}
	}

}
