package dev.reflector.docs;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The text of a page without blocks of code, as a user reads it.
 */
final class Prose {

	private static final Pattern BLOCK = Pattern.compile("(?ms)^\\s*(```+|~~~+).*?^\\s*\\1\\s*$");

	private static final Pattern COMMENT = Pattern.compile("(?s)<!--.*?-->");

	/** Code within a line, where links lead, addresses, paths and names with dots. */
	private static final Pattern NO_PROSE = Pattern.compile(
			"(?s)`[^`]*`|(?<=])\\([^)\\s]*\\)|<https?:[^>]*>|https?:\\S+|</?[a-z]+[^>]*>|[\\w~-]*(?:[./][\\w-]+)+|[\\w-]+#\\d+");

	private static final Pattern WORD = Pattern.compile("\\p{L}[\\p{L}\\p{N}]*(?:['’]\\p{L}+)*");

	private final String text;

	private Prose(String text) {
		this.text = text;
	}

	static Prose of(Path page) {
		return of(SourceDoc.read(page));
	}

	static Prose of(String page) {
		return new Prose(COMMENT.matcher(BLOCK.matcher(page).replaceAll("")).replaceAll(""));
	}

	/** The text of a page with code, addresses and names replaced. */
	static String withoutCode(String page, Function<MatchResult, String> replacement) {
		String text = page;
		for (Pattern pattern : List.of(BLOCK, COMMENT, NO_PROSE)) {
			text = pattern.matcher(text).replaceAll(replacement);
		}
		return text;
	}

	/** Returns the number of words, including code within a line. */
	int length() {
		return (int) Arrays.stream(this.text.split("\\s+"))
			.filter((word) -> word.codePoints().anyMatch(Character::isLetterOrDigit))
			.count();
	}

	/** The words of a language: no code, no addresses, nothing with digits. */
	List<String> words() {
		return WORD.matcher(NO_PROSE.matcher(this.text).replaceAll(" "))
			.results()
			.map((match) -> match.group().replace('’', '\''))
			.filter((word) -> word.codePoints().noneMatch(Character::isDigit))
			.toList();
	}

}
