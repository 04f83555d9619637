package dev.reflector.cache.config;

import java.time.Duration;

/**
 * How a reflector gets the full state of a collection.
 *
 * @param initialList whether the full state is streamed or listed
 * @param pageSize the number of objects in a page of a list; 0 for the default, which is
 * {@link #DEFAULT_PAGE_SIZE} for lists that are requested in pages
 * @param consistentFirstList whether the first list must return the newest state, rather
 * than any state in the server's cache
 * @param pollInterval the time between two lists of a type that cannot be watched, at
 * least a second
 * @since 0.1.0
 */
public record ListSettings(InitialList initialList, int pageSize, boolean consistentFirstList, Duration pollInterval) {

	/** The number of objects in a page of a list when no page size is set. */
	public static final int DEFAULT_PAGE_SIZE = 500;

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when a value is out of its range
	 */
	public ListSettings {
		if (pageSize < 0) {
			throw new IllegalArgumentException("'pageSize' must not be negative");
		}
		if (pollInterval.compareTo(Duration.ofSeconds(1)) < 0) {
			throw new IllegalArgumentException("'pollInterval' must be at least one second");
		}
	}

	/** How a reflector requests the full state. */
	public enum InitialList {

		/** As a stream if the server supports streams, otherwise as a list. */
		AUTO,

		/** As a stream, and as a list only while the server refuses streams. */
		STREAM,

		/** As a list. */
		LIST

	}

}
