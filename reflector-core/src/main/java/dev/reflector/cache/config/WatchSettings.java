package dev.reflector.cache.config;

import java.time.Duration;

/**
 * How a reflector watches a collection.
 *
 * @param minWatchTimeout the shortest time after which the server is asked to end a
 * watch; the real value is drawn at random between it and twice it. With
 * {@link Compatibility#CLIENT_GO} it is never less than five minutes
 * @param watchOverlap the shortest time between the opening of the next watch and the end
 * of the current one, so that no change must wait for a watch; {@link Duration#ZERO} to
 * open the next watch only after that end. The real value is drawn at random between this
 * time and twice this time. Watches shorter than four times this time do not overlap, nor
 * do watches whose versions have no order, nor any with {@link Compatibility#CLIENT_GO}
 * @param bookmarks whether to ask for bookmarks
 * @param internalErrorRetry how long a reflector answers internal errors (500) by opening
 * the watch again rather than by a new list; each list starts this time again,
 * {@link Duration#ZERO} turns it off
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
