package dev.reflector.client.internal.schema;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/** Suggests the right name for a misspelled name. */
public final class NearestName {

	/** The largest number of wrong letters in a similar name. */
	private static final int NEAR = 3;

	private NearestName() {
	}

	/**
	 * Finds the most similar name. Ignores case, dashes and underscores.
	 * @param candidates the existing names
	 * @param name the misspelled name
	 * @return one of the existing names, or {@code null} if none is similar
	 */
	public static @Nullable String of(Collection<String> candidates, String name) {
		String letters = letters(name);
		int near = Math.min(NEAR, Math.max(1, letters.length() / 2));
		return candidates.stream()
			.filter((candidate) -> distance(letters(candidate), letters) <= near)
			.min(Comparator.comparing((candidate) -> distance(letters(candidate), letters)))
			.orElse(null);
	}

	private static String letters(String name) {
		return name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
	}

	/** Returns the number of letters by which two words differ (Levenshtein distance). */
	private static int distance(String one, String other) {
		int[] above = new int[other.length() + 1];
		for (int column = 0; column <= other.length(); column++) {
			above[column] = column;
		}
		for (int row = 1; row <= one.length(); row++) {
			int diagonal = above[0];
			above[0] = row;
			for (int column = 1; column <= other.length(); column++) {
				int replaced = diagonal + ((one.charAt(row - 1) == other.charAt(column - 1)) ? 0 : 1);
				diagonal = above[column];
				above[column] = Math.min(replaced, Math.min(above[column], above[column - 1]) + 1);
			}
		}
		return above[other.length()];
	}

}
