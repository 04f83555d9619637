package dev.reflector.cache.config;

import java.time.Duration;

/**
 * How a reflector watches a collection.
 *
 * @param minWatchTimeout least time after which the server is asked to end a watch; the
 * real value is drawn between it and twice it. With {@link Compatibility#CLIENT_GO} it is
 * never less than five minutes
 * @param watchOverlap how long before the end of a watch the next one is opened at least,
 * so that no change comes late for want of a watch; {@link Duration#ZERO} to open it only
 * after the end. The real value is drawn between it and twice it. Watches of less than
 * four times its length do not overlap, nor do those whose versions have no order, nor
 * any with {@link Compatibility#CLIENT_GO}
 * @param bookmarks whether to ask for bookmarks
 * @param internalErrorRetry for how long internal errors (500) of a watch are survived
 * without a new list, counted anew after each list; {@link Duration#ZERO} for not at all
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
