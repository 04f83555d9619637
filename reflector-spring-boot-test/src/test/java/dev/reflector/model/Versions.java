package dev.reflector.model;

import java.util.Comparator;

/**
 * The order of resource versions (W-68).
 */
final class Versions {

	private static final Comparator<String> ORDER = Comparator.comparingInt(String::length)
		.thenComparing(Comparator.naturalOrder());

	private Versions() {
	}

	static boolean isAfter(String version, String other) {
		return ORDER.compare(version, other) > 0;
	}

}
