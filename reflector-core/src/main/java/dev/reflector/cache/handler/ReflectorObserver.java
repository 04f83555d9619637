package dev.reflector.cache.handler;

import java.time.Duration;
import java.util.List;

import dev.reflector.ConsistencyReport;
import dev.reflector.cache.source.SkippedObject;

/**
 * Watches a reflector at work, for metrics. Called on the reflector's own threads, of
 * {@link #verified} also on that of the caller: must be fast. The first time that it
 * throws is logged, and nothing else follows. What a status report shows is not repeated
 * here.
 *
 * @since 0.1.0
 */
public interface ReflectorObserver {

	/** An observer that does nothing. */
	ReflectorObserver NONE = new ReflectorObserver() {
	};

	/**
	 * Several observers as one. One that throws keeps none of the others from being told.
	 * @param observers those to tell, in this order
	 * @return tells them all
	 */
	static ReflectorObserver composite(List<? extends ReflectorObserver> observers) {
		return GuardedObservers.of(observers);
	}

	/**
	 * A complete state was received.
	 * @param duration from the request to the last object
	 * @param items number of objects
	 * @param pages number of pages, 0 for the initial part of a watch
	 */
	default void listed(Duration duration, int items, int pages) {
	}

	/**
	 * A full state had to be asked for again.
	 * @param reason why, from a closed set
	 */
	default void relisting(PassEnd reason) {
	}

	/**
	 * A watch has ended.
	 * @param duration since the request
	 * @param events number of frames
	 */
	default void watched(Duration duration, long events) {
	}

	/**
	 * A watch was there before the one before it ended, and has taken over from it.
	 */
	default void handedOver() {
	}

	/**
	 * A delay before the next attempt begins.
	 * @param delay the delay
	 */
	default void backingOff(Duration delay) {
	}

	/**
	 * An object could not be read and was skipped.
	 * @param object what is known of it
	 */
	default void skipped(SkippedObject object) {
	}

	/**
	 * The mirror has been compared with the server, or could not be.
	 * @param report what came of it
	 */
	default void verified(ConsistencyReport report) {
	}

	/**
	 * A handler is about to make another attempt on a change, after one that has failed.
	 * @param duration how long the one that failed took
	 */
	default void retried(Duration duration) {
	}

	/**
	 * A handler has finished with a change.
	 * @param duration how long it took; of several attempts the last
	 * @param failed whether it threw
	 */
	default void handled(Duration duration, boolean failed) {
	}

	/**
	 * The queue of a handler was full, and a change was merged into one of the same
	 * object that waited there.
	 */
	default void merged() {
	}

}
