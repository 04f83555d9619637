package dev.reflector.benchmark.client;

import java.util.Arrays;
import java.util.Locale;

/**
 * The type that a client mirrors pods as. There are no widgets with whole metadata.
 */
public enum Variant {

	/** The class that the client comes with. */
	OWN,

	/** Only the fields of this project's record, if the client allows that. */
	SLIM,

	/** Like {@link #SLIM}, with whole metadata. */
	METADATA;

	private static final String PREFIX = "variant=";

	/**
	 * Reads the argument {@code variant}.
	 * @param args all arguments
	 * @return its value, or else {@link #OWN}
	 */
	public static Variant of(String[] args) {
		return Arrays.stream(args)
			.filter((arg) -> arg.startsWith(PREFIX))
			.map((arg) -> valueOf(arg.substring(PREFIX.length()).toUpperCase(Locale.ROOT)))
			.findFirst()
			.orElse(OWN);
	}

}
