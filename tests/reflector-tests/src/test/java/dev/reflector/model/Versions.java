package dev.reflector.model;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

import dev.reflector.Lister;

/**
 * Resource versions and their order (W-68).
 */
final class Versions {

	private static final Comparator<String> ORDER = Comparator.comparingInt(String::length)
		.thenComparing(Comparator.naturalOrder());

	private Versions() {
	}

	/** The versions of what a mirror holds, by key. */
	public static Map<String, String> of(Lister<Widget> mirror) {
		Map<String, String> versions = new TreeMap<>();
		mirror.list()
			.forEach((widget) -> versions.put(widget.metadata().namespace() + "/" + widget.metadata().name(),
					widget.version()));
		return versions;
	}

	static boolean isAfter(String version, String other) {
		return ORDER.compare(version, other) > 0;
	}

}
