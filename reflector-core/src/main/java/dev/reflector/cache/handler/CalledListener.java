package dev.reflector.cache.handler;

import org.jspecify.annotations.Nullable;

/**
 * Names the listener that the present thread calls, for the warnings about one that does
 * not return. A reflector names each of its handlers; one that hands on to listeners of
 * its own names those. Does nothing on threads that no reflector delivers on.
 *
 * @since 0.1.0
 */
public final class CalledListener {

	private static final ThreadLocal<@Nullable Call> CURRENT = new ThreadLocal<>();

	private CalledListener() {
	}

	/**
	 * Says that the present thread delivers from now on.
	 * @param call hears which listener is called
	 */
	public static void deliverOnThisThread(Call call) {
		CURRENT.set(call);
	}

	/** Says that the present thread no longer delivers. */
	public static void end() {
		CURRENT.remove();
	}

	/**
	 * A listener is about to be called, in place of the one that was called before.
	 * @param name its name, for people
	 */
	public static void enter(String name) {
		Call call = CURRENT.get();
		if (call != null) {
			call.enter(name);
		}
	}

	/**
	 * No listener is called from now on, for example until the next attempt.
	 */
	public static void leave() {
		Call call = CURRENT.get();
		if (call != null) {
			call.leave();
		}
	}

	/** What a thread calls at present. */
	public interface Call {

		/**
		 * A listener is about to be called.
		 * @param listener its name, for people
		 */
		void enter(String listener);

		/** No listener is called from now on. */
		void leave();

	}

}
