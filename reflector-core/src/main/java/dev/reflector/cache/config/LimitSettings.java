package dev.reflector.cache.config;

/**
 * How much the mirror of a reflector may hold. If a received object would exceed a limit,
 * the request that delivered the object ends. The mirror keeps its objects, and the
 * reflector lists again after a delay.
 *
 * @param maxObjects the largest number of objects, {@link #UNLIMITED} for no limit
 * @param maxSize the largest total size of all objects in bytes, as the server sent them,
 * after decompression; {@link #UNLIMITED} for no limit. The size of an object from a
 * watch includes the watch event around it. Objects of unknown size count as 0 bytes: all
 * objects of a source that reports no sizes, and objects that were restored from a
 * snapshot, or kept during a restart of the reflector, until the server sends them again.
 * While a list is received, the size of an object that cannot be read is the length of
 * its key
 * @since 0.1.0
 */
public record LimitSettings(long maxObjects, long maxSize) {

	/** The value that means no limit. */
	public static final long UNLIMITED = Long.MAX_VALUE;

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when a value is less than 1
	 */
	public LimitSettings {
		if (maxObjects < 1) {
			throw new IllegalArgumentException("'maxObjects' must be at least 1");
		}
		if (maxSize < 1) {
			throw new IllegalArgumentException("'maxSize' must be at least 1");
		}
	}

	/**
	 * Whether there is a limit.
	 * @return {@code true} if the number of objects or their size is limited
	 */
	public boolean isSet() {
		return this.maxObjects != UNLIMITED || this.maxSize != UNLIMITED;
	}

}
