package dev.reflector.client;

import java.util.Locale;

/**
 * Guesses the plural of a kind by the rules of English spelling, in lower case.
 */
public final class EnglishPlural {

	private EnglishPlural() {
	}

	/**
	 * The plural that a kind most likely has.
	 * @param kind the kind
	 * @return the plural
	 */
	public static String of(String kind) {
		String singular = kind.toLowerCase(Locale.ROOT);
		if (singular.equals("endpoints")) {
			return singular;
		}
		if (singular.matches(".*(s|x|z|ch|sh)")) {
			return singular + "es";
		}
		if (singular.matches(".*[^aeiou]y")) {
			return singular.substring(0, singular.length() - 1) + "ies";
		}
		return singular + "s";
	}

}
