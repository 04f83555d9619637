package dev.reflector.docs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.fixture.SourceTree;

/**
 * Finds words and phrases that read as translated, which a dictionary accepts: on pages,
 * in comments and texts of published code and samples, in the files of the console, and
 * in the comments of tests, benchmarks and build files.
 */
final class PlainWords {

	private static final List<Habit> HABITS = List.of(
			new Habit("tells?|telling|told", "say, show, report, deliver, notify or distinguish"),
			new Habit("hears?|hearing|heard", "receive"), new Habit("the present", "the current"),
			new Habit("anew", "again, or start over"),
			new Habit("(?:go|goes|going|gone|went) on", "continue, keep, resume, or is in progress"),
			new Habit("meanwhile", "since, until then, or nothing"),
			new Habit("of (?:its|their|our) own", "its own, or a separate one"),
			new Habit("(?:is|are|was|were) to be", "must be, will be, or the infinitive"),
			new Habit("persons?|people", "users or operators; of a text: human-readable"),
			new Habit("nobody|somebody|anybody|everybody|no one|whoever",
					"who it is: no replica, the caller, an operator"),
			new Habit("by what right", "under which ownership"), new Habit("at (?:its|their) word", "as announced"),
			new Habit("(?:makes?|making|made) no sense", "malformed, or invalid"),
			new Habit("what waits", "queued changes, or the queue"),
			new Habit("(?:is|are|was|were) held up", "is delayed"), new Habit("in vain", "without success"),
			new Habit("belongs? into", "go into"), new Habit("(?:gives?|takes?) orders", "trigger operations"),
			new Habit("becomes? old", "go stale"), new Habit("dearest", "costs most"));

	/** Finds a text that has any of them, in one pass. */
	private static final Pattern ANY = Habit
		.pattern(HABITS.stream().map(Habit::words).collect(Collectors.joining("|")));

	/** Right where they stand: the one thing belongs to the other. */
	private static final Pattern RIGHT = Pattern.compile("of\\s+its\\s+own\\s+(?:write|log|JSON|dependencies)");

	/** Finds the texts of a source: comments, text blocks and strings. */
	private static final Pattern TEXT = Pattern.compile(
			"(?s)/\\*.*?\\*/|//[^\\n]*+|\"\"\".*?\"\"\"|\"[^\"\\\\\\n]*+(?:\\\\.[^\"\\\\\\n]*+)*+\"|(?<code>'(?:\\\\.|[^'\\\\\\n])++')");

	private static final Pattern XML_COMMENT = Pattern.compile("(?s)<!--.*?-->");

	/** Files of published modules and of samples, without their tests. */
	private static final Pattern MAIN = Pattern.compile("(?:samples/)?reflector-[^/]+/src/main/.+");

	/** Files that have nothing but texts, or names that are words. */
	private static final Pattern RESOURCE = Pattern.compile(".+(?:\\.js|\\.html|\\.sql|metadata\\.json)");

	/** Finds parts of a comment that are no prose, and the beginnings of its lines. */
	private static final Pattern NO_PROSE = Pattern
		.compile("(?s)<pre.*?</pre>|\\{@(?:code|link|linkplain|value|literal|snippet)\\s[^{}]*+}"
				+ "|(?m:^[ \\t]*+(?:\\*|//))|@param\\s++\\S++|@throws\\s++\\S++|@see\\s++\\S++|\"");

	private final Path file;

	private final String text;

	private PlainWords(Path file, String text) {
		this.file = file;
		this.text = RIGHT.matcher(text).replaceAll(PlainWords::blank);
	}

	/** A page, without its code. */
	static PlainWords ofPage(Path page, String text) {
		return new PlainWords(page, Prose.withoutCode(text, PlainWords::blank));
	}

	/** The comments and texts of a source in Java or Kotlin. */
	static PlainWords ofSource(Path file, String source) {
		return ofParts(file, source, TEXT, (text) -> !text.startsWith("'"));
	}

	/** The comments of a source in Java or Kotlin. */
	static PlainWords ofComments(Path file, String source) {
		return ofParts(file, source, TEXT, (text) -> text.startsWith("/"));
	}

	/** The comments of a build file. */
	static PlainWords ofBuildFile(Path file, String xml) {
		return ofParts(file, xml, XML_COMMENT, (text) -> true);
	}

	private static PlainWords ofParts(Path file, String source, Pattern parts, Predicate<String> isProse) {
		StringBuilder texts = new StringBuilder();
		int end = 0;
		for (MatchResult part : parts.matcher(source).results().toList()) {
			texts.append(blank(source.substring(end, part.start())));
			texts.append(isProse.test(part.group()) ? NO_PROSE.matcher(part.group()).replaceAll(PlainWords::blank)
					: blank(part.group()));
			end = part.end();
		}
		return new PlainWords(file, texts.toString());
	}

	/**
	 * Comments and texts of published modules and samples, and comments of all other
	 * sources and of build files.
	 */
	static Stream<PlainWords> ofRepository() {
		return SourceTree.files(SourceDoc.ROOT).stream().sorted().flatMap(PlainWords::of);
	}

	private static Stream<PlainWords> of(Path file) {
		String path = SourceDoc.ROOT.relativize(file).toString();
		boolean main = MAIN.matcher(path).matches();
		if (path.endsWith(".java") || path.endsWith(".kt")) {
			String source = SourceDoc.read(file);
			return Stream.of(main ? ofSource(file, source) : ofComments(file, source));
		}
		if (file.endsWith("pom.xml")) {
			return Stream.of(ofBuildFile(file, SourceDoc.read(file)));
		}
		return (main && RESOURCE.matcher(path).matches()) ? Stream.of(new PlainWords(file, SourceDoc.read(file)))
				: Stream.empty();
	}

	/** Each with file, line, phrase and what to write instead. */
	List<String> findings() {
		if (!ANY.matcher(this.text).find()) {
			return List.of();
		}
		List<String> findings = new ArrayList<>();
		for (Habit habit : HABITS) {
			Habit.pattern(habit.words()).matcher(this.text).results().forEach((found) -> {
				long line = this.text.substring(0, found.start()).chars().filter((c) -> c == '\n').count() + 1;
				findings.add("%s:%d: '%s' reads as translated; write: %s".formatted(
						this.file.startsWith(SourceDoc.ROOT) ? SourceDoc.ROOT.relativize(this.file) : this.file, line,
						found.group().replaceAll("\\s+", " "), habit.better()));
			});
		}
		return findings;
	}

	private static String blank(MatchResult text) {
		return blank(text.group());
	}

	/** Only lines are counted, and less text is searched faster. */
	private static String blank(String text) {
		return " " + "\n".repeat((int) text.chars().filter((c) -> c == '\n').count());
	}

	/**
	 * A habit to avoid.
	 *
	 * @param words a regular expression that finds it, with one space for white space
	 * @param better what to write instead
	 */
	private record Habit(String words, String better) {

		static Pattern pattern(String words) {
			return Pattern.compile("(?i)\\b(?:" + words.replace(" ", "\\s+") + ")\\b");
		}

	}

}
