package dev.reflector.cache.config;

import java.time.Duration;

/**
 * How a reflector gets the full state of a collection.
 *
 * @param initialList whether the full state is streamed or listed
 * @param pageSize page size of lists; 0 for the {@link #DEFAULT_PAGE_SIZE} if paging is
 * used at all
 * @param consistentFirstList whether the first list must return the newest state, rather
 * than any state that the server has at hand
 * @param pollInterval time between two lists of a type that cannot be watched; at least a
 * second
 * @since 0.1.0
 */
public record ListSettings(InitialList initialList, int pageSize, boolean consistentFirstList, Duration pollInterval) {

	/** Page size of lists when none is set. */
	public static final int DEFAULT_PAGE_SIZE = 500;

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when one is out of its range
	 */
	public ListSettings {
		if (pageSize < 0) {
			throw new IllegalArgumentException("'pageSize' must not be negative");
		}
		if (pollInterval.compareTo(Duration.ofSeconds(1)) < 0) {
			throw new IllegalArgumentException("'pollInterval' must be at least one second");
		}
	}

	/** How a reflector gets the full state. */
	public enum InitialList {

		/** As a stream if the server can do that, otherwise by a list. */
		AUTO,

		/** As a stream, and by a list only while the server refuses streams. */
		STREAM,

		/** By a list. */
		LIST

	}

}
