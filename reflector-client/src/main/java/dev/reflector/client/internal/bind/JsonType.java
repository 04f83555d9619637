package dev.reflector.client.internal.bind;

/**
 * The types of JSON values, as schemas name them.
 */
public enum JsonType {

	/** A string. */
	STRING("\"text\""),

	/** A number without a fraction. */
	INTEGER("1"),

	/** A number. */
	NUMBER("1.5"),

	/** {@code true} or {@code false}. */
	BOOLEAN("true"),

	/** An array. */
	ARRAY("[{}]"),

	/** An object. */
	OBJECT("{}");

	private final String sample;

	JsonType(String sample) {
		this.sample = sample;
	}

	/** Returns a value of the type, as JSON. */
	String sample() {
		return this.sample;
	}

}
