package dev.reflector.cache.config;

import java.time.Duration;

/** Checks values of settings. */
final class Checks {

	/** Longest time of a setting. Timers count in nanoseconds, and would overflow. */
	private static final Duration LONGEST = Duration.ofDays(36_500);

	private Checks() {
	}

	static void duration(String name, Duration value) {
		if (value.isNegative()) {
			throw new IllegalArgumentException("'" + name + "' must not be negative");
		}
		if (value.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("'" + name + "' must be " + LONGEST.toDays() + "d at most");
		}
	}

}
