package dev.reflector.autoconfigure;

import java.util.Locale;

/**
 * Guesses the plural of a kind by the rules of English spelling, in lower case.
 */
final class EnglishPlural {

	private EnglishPlural() {
	}

	static String of(String kind) {
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
