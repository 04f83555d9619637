package dev.reflector.cache.config;

import java.time.Duration;

/**
 * How a reflector watches a collection.
 *
 * @param minWatchTimeout the shortest time after which the server is asked to end a
 * watch; the actual time is random, between this time and twice this time. With
 * {@link Compatibility#CLIENT_GO} it is never less than five minutes
 * @param watchOverlap the shortest time between the opening of the next watch and the end
 * of the current one, so that no change must wait for a watch; {@link Duration#ZERO} to
 * open the next watch only after the current one has ended. The actual time is random,
 * between this time and twice this time. Watches do not overlap if they are shorter than
 * four times this time, if their versions have no order, or with
 * {@link Compatibility#CLIENT_GO}
 * @param bookmarks whether to ask for bookmarks
 * @param internalErrorRetry how long a reflector responds to internal errors (500) of a
 * watch by opening the watch again rather than by a new list, counted from the first such
 * error. The time starts over after each list, and after a minute without such an error.
 * {@link Duration#ZERO} for a list after each error
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
		Checks.notNegative("watchOverlap", watchOverlap);
		Checks.notNegative("internalErrorRetry", internalErrorRetry);
	}

}
