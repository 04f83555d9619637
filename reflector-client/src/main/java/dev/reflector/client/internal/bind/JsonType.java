package dev.reflector.client.internal.bind;

import java.util.List;

/**
 * The types of JSON values, as schemas name them.
 */
public enum JsonType {

	/** A string. */
	STRING("\"text\""),

	/** A number without a fraction. */
	INTEGER("1", "0"),

	/** A number. */
	NUMBER("1.5"),

	/** {@code true} or {@code false}. */
	BOOLEAN("true"),

	/** An array. Some types read dates and times from an array. */
	ARRAY("[{}]", "[2024, 1, 31]", "[2024, 1, 31, 10, 20]"),

	/** An object. */
	OBJECT("{}");

	private final List<String> samples;

	JsonType(String... samples) {
		this.samples = List.of(samples);
	}

	/** Returns sample values of the type. A Java type may read only some of them. */
	List<String> samples() {
		return this.samples;
	}

}
