package dev.reflector.cache.handler;

import dev.reflector.cache.internal.call.ListenerCall;

/**
 * Records which listener the current thread is calling, for the warnings about slow
 * listeners. A reflector records each handler that it calls. A handler that calls several
 * listeners should record each of them. Does nothing on threads on which no reflector
 * delivers.
 *
 * @since 0.1.0
 */
public final class CalledListener {

	private CalledListener() {
	}

	/**
	 * Records that a listener is about to be called. Replaces the previously recorded
	 * listener.
	 * @param name the name of the listener, human-readable
	 */
	public static void enter(String name) {
		ListenerCall call = ListenerCall.current();
		if (call != null) {
			call.enter(name);
		}
	}

	/**
	 * Records that the current thread calls no listener from now on, for example while a
	 * handler waits before its next attempt.
	 */
	public static void leave() {
		ListenerCall call = ListenerCall.current();
		if (call != null) {
			call.leave();
		}
	}

}
