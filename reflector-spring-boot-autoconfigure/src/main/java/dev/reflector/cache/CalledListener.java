package dev.reflector.cache;

import org.jspecify.annotations.Nullable;

/**
 * Names the listener that the present thread calls, for the warnings about one that does
 * not return. A reflector names each of its handlers; one that hands on to listeners of
 * its own names those. Does nothing on threads that no reflector delivers on.
 *
 * @since 0.1.0
 */
public final class CalledListener {

	private static final ThreadLocal<@Nullable ListenerCall> CURRENT = new ThreadLocal<>();

	private CalledListener() {
	}

	/** From now on, the present thread delivers. */
	static void deliverOnThisThread(ListenerCall call) {
		CURRENT.set(call);
	}

	/** The present thread delivers no more. */
	static void end() {
		CURRENT.remove();
	}

	/**
	 * A listener is about to be called, in place of the one that was called before.
	 * @param name its name, for people
	 */
	public static void enter(String name) {
		ListenerCall call = CURRENT.get();
		if (call != null) {
			call.enter(name);
		}
	}

	/**
	 * No listener is called from now on, for example until the next attempt.
	 */
	public static void leave() {
		ListenerCall call = CURRENT.get();
		if (call != null) {
			call.leave();
		}
	}

}
