package dev.reflector.cache.internal.loop;

import java.util.ArrayList;
import java.util.List;

import reactor.core.Exceptions;
import reactor.core.scheduler.Schedulers;

/**
 * Errors of the Java virtual machine that came to a scheduler of Reactor. Reactor throws
 * such errors instead of passing them on, so on a thread of a scheduler they end there,
 * and the subscriber waits for ever. Safe for use by several threads.
 */
final class UncaughtErrors {

	private static final String KEY = "dev.reflector";

	private static final List<Listener> listeners = new ArrayList<>();

	private UncaughtErrors() {
	}

	/**
	 * Adds a listener.
	 * @param listener called on the thread that the error has come to; must be short
	 */
	static void add(Listener listener) {
		synchronized (listeners) {
			if (listeners.isEmpty()) {
				Schedulers.onHandleError(KEY, (thread, error) -> handle(error));
			}
			listeners.add(listener);
		}
	}

	/** Removes a listener, so that nothing remains of a loop that has ended. */
	static void remove(Listener listener) {
		synchronized (listeners) {
			if (listeners.remove(listener) && listeners.isEmpty()) {
				Schedulers.resetOnHandleError(KEY);
			}
		}
	}

	private static void handle(Throwable error) {
		if (Exceptions.isJvmFatal(error)) {
			List<Listener> present;
			synchronized (listeners) {
				present = List.copyOf(listeners);
			}
			List<Listener> owners = present.stream().filter((listener) -> listener.owns(error)).toList();
			boolean owned = !owners.isEmpty();
			(owned ? owners : present).forEach((listener) -> listener.uncaught(error, owned));
		}
	}

	/** A loop whose source may have thrown the error. */
	interface Listener {

		/** Whether the error is from its source, as far as the stack trace says. */
		boolean owns(Throwable error);

		/**
		 * An error has ended there.
		 * @param error the error
		 * @param owned whether it is from the source; otherwise it is from an unknown one
		 */
		void uncaught(Throwable error, boolean owned);

	}

}
