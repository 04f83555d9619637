package dev.reflector.cache.config;

import java.time.Duration;

/** Checks values of settings. */
final class Checks {

	private Checks() {
	}

	static void notNegative(String name, Duration value) {
		if (value.isNegative()) {
			throw new IllegalArgumentException("'" + name + "' must not be negative");
		}
	}

}
