package dev.reflector.cache.config;

import java.time.Duration;

/**
 * How a reflector watches a collection.
 *
 * @param minWatchTimeout the shortest time after which the server is asked to end a
 * watch; the real value is drawn at random between it and twice it. With
 * {@link Compatibility#CLIENT_GO} it is never less than five minutes
 * @param watchOverlap how long before the end of a watch the next one is opened, at
 * least, so that no change has to wait for a watch; {@link Duration#ZERO} to open it only
 * after the end. The real value is drawn at random between it and twice it. Watches of
 * less than four times its length do not overlap, nor do watches whose versions have no
 * order, nor any with {@link Compatibility#CLIENT_GO}
 * @param bookmarks whether to ask for bookmarks
 * @param internalErrorRetry for how long a watch is opened again after internal errors
 * (500) without a new list; each list starts the time again, {@link Duration#ZERO} turns
 * it off
 * @since 0.1.0
 */
public record WatchSettings(Duration minWatchTimeout, Duration watchOverlap, boolean bookmarks,
		Duration internalErrorRetry) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when one is out of its range
	 */
	public WatchSettings {
		if (minWatchTimeout.toSeconds() < 1) {
			throw new IllegalArgumentException("'minWatchTimeout' must be at least one second");
		}
		Checks.notNegative("watchOverlap", watchOverlap);
		Checks.notNegative("internalErrorRetry", internalErrorRetry);
	}

}
