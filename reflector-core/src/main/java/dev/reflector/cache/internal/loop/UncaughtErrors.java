package dev.reflector.cache.internal.loop;

import java.util.ArrayList;
import java.util.List;

import reactor.core.Exceptions;
import reactor.core.scheduler.Schedulers;

/**
 * Reports errors of the Java virtual machine that reach a scheduler of Reactor. Reactor
 * throws such errors instead of passing them to the subscriber. On a scheduler's thread,
 * such an error would go unnoticed, and the subscriber would wait forever. Thread-safe.
 */
final class UncaughtErrors {

	private static final String KEY = "dev.reflector";

	private static final List<Listener> listeners = new ArrayList<>();

	private UncaughtErrors() {
	}

	/**
	 * Adds a listener.
	 * @param listener called on the thread of the scheduler; must return quickly
	 */
	static void add(Listener listener) {
		synchronized (listeners) {
			if (listeners.isEmpty()) {
				Schedulers.onHandleError(KEY, (thread, error) -> handle(error));
			}
			listeners.add(listener);
		}
	}

	/** Removes the listener of a loop that has ended. */
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

	/** Receives errors that the source of a loop may have thrown. */
	interface Listener {

		/**
		 * Whether the error comes from the source of this loop, according to its stack
		 * trace.
		 */
		boolean owns(Throwable error);

		/**
		 * Called when an error has reached a scheduler.
		 * @param error the error
		 * @param owned whether the error comes from the source of this loop; otherwise
		 * its origin is unknown
		 */
		void uncaught(Throwable error, boolean owned);

	}

}
