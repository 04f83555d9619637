package dev.reflector.client.internal.pem;

import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The text of a path in messages. What is configured as a path may be a secret in the
 * wrong place, such as a key instead of the file with the key. A path that may not exist
 * is therefore shown only if it looks like a path. Reads no files.
 */
public final class ShownPath {

	/** The text that is shown instead. */
	public static final String HIDDEN = "(not shown, because it looks like a secret)";

	/** The length of a long path. Paths may be longer, but keys usually are. */
	private static final int MAX_LENGTH = 255;

	/** The length of a long name of a file. */
	private static final int MAX_NAME = 64;

	/** Letters and digits without a break, as in tokens, Base64 and hexadecimal text. */
	private static final Pattern RUN = Pattern.compile("[A-Za-z0-9+=]{16,}");

	/** A word, or a number as in the names of temporary folders. */
	private static final Pattern WORD_OR_NUMBER = Pattern.compile("[A-Z]?[a-z]+|[0-9]+");

	private static final Pattern SEPARATOR = Pattern.compile("[/\\\\]");

	private ShownPath() {
	}

	/**
	 * Returns the text of a path that may not exist.
	 * @param path the path
	 * @return the path if it looks like one, else {@link #HIDDEN}
	 */
	public static String of(String path) {
		return isLikely(path) ? path : HIDDEN;
	}

	/**
	 * Returns the text of several paths that may not exist.
	 * @param paths the paths
	 * @param separator what separates them
	 * @return the paths if all of them look like paths, else {@link #HIDDEN}
	 */
	public static String ofAll(String paths, String separator) {
		return Arrays.stream(paths.split(Pattern.quote(separator))).allMatch(ShownPath::isLikely) ? paths : HIDDEN;
	}

	private static boolean isLikely(String text) {
		return text.length() <= MAX_LENGTH && text.chars().noneMatch(Character::isISOControl)
				&& SEPARATOR.splitAsStream(text).allMatch((name) -> name.length() <= MAX_NAME)
				&& RUN.matcher(text)
					.results()
					.map(MatchResult::group)
					.allMatch((run) -> WORD_OR_NUMBER.matcher(run).matches());
	}

}
