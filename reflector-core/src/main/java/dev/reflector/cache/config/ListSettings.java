package dev.reflector.cache.config;

/**
 * How a reflector gets the full state of a collection.
 *
 * @param initialList whether the full state is streamed or listed
 * @param pageSize page size of lists; 0 for the default of 500 where paging is used at
 * all
 * @param consistentFirstList whether the first list must return the newest state, rather
 * than any that the server has at hand
 * @since 0.1.0
 */
public record ListSettings(InitialList initialList, int pageSize, boolean consistentFirstList) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when one is out of its range
	 */
	public ListSettings {
		if (pageSize < 0) {
			throw new IllegalArgumentException("'pageSize' must not be negative");
		}
	}

	/** How the full state is got. */
	public enum InitialList {

		/** Streamed where the server can do it, else listed. */
		AUTO,

		/** Streamed, with a list only while the server refuses. */
		STREAM,

		/** Listed. */
		LIST

	}

}
