package dev.reflector.cache.config;

import java.time.Duration;

/**
 * How a reflector watches a collection.
 *
 * @param minWatchTimeout the shortest time after which the server is asked to end a
 * watch, from one second to 36500 days, because a server counts nanoseconds; the actual
 * time is random, between this time and twice this time. With
 * {@link Compatibility#CLIENT_GO}, the shortest time is never less than five minutes
 * @param watchOverlap the shortest time by which two watches overlap: the next watch is
 * opened before the current one ends, so that there is always an open watch. The actual
 * time is random, between this time and twice this time. With {@link Duration#ZERO}, the
 * next watch is opened after the current one has ended. Watches do not overlap if they
 * are shorter than four times this time, if their versions have no order, or with
 * {@link Compatibility#CLIENT_GO}
 * @param bookmarks whether to ask for bookmarks
 * @param internalErrorRetry for how long, counted from the first internal error (500) of
 * a watch, a reflector answers such errors by opening the watch again instead of listing.
 * The time starts over after each list, and after a minute without an internal error.
 * With {@link Duration#ZERO}, each internal error leads to a list
 * @since 0.1.0
 */
public record WatchSettings(Duration minWatchTimeout, Duration watchOverlap, boolean bookmarks,
		Duration internalErrorRetry) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when a value is out of its range
	 */
	public WatchSettings {
		if (minWatchTimeout.toSeconds() < 1) {
			throw new IllegalArgumentException("'minWatchTimeout' must be at least one second");
		}
		Checks.duration("minWatchTimeout", minWatchTimeout);
		Checks.duration("watchOverlap", watchOverlap);
		Checks.duration("internalErrorRetry", internalErrorRetry);
	}

}
