package dev.reflector.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds words and phrases that read as translated, which a dictionary accepts: on pages,
 * in comments and texts of code, and in the files of the console.
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

	/** What has texts in a source: comments, text blocks and strings. */
	private static final Pattern TEXT = Pattern.compile(
			"(?s)/\\*.*?\\*/|//[^\\n]*+|\"\"\".*?\"\"\"|\"[^\"\\\\\\n]*+(?:\\\\.[^\"\\\\\\n]*+)*+\"|(?<code>'(?:\\\\.|[^'\\\\\\n])++')");

	/** What is no prose in a comment, and what begins its lines. */
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
		StringBuilder texts = new StringBuilder();
		int end = 0;
		for (MatchResult text : TEXT.matcher(source).results().toList()) {
			texts.append(blank(source.substring(end, text.start())));
			boolean code = text.group().startsWith("'");
			texts.append(code ? blank(text.group()) : NO_PROSE.matcher(text.group()).replaceAll(PlainWords::blank));
			end = text.end();
		}
		return new PlainWords(file, texts.toString());
	}

	/** A file that has nothing but texts, or names that are words, too. */
	static PlainWords ofResource(Path file, String text) {
		return new PlainWords(file, text);
	}

	/** What is published or a sample, without its tests. */
	static Stream<PlainWords> ofMainFiles() {
		List<PlainWords> files = new ArrayList<>();
		for (Path folder : mainFolders()) {
			try (Stream<Path> found = Files.walk(folder)) {
				found.sorted().forEach((file) -> {
					String name = file.toString();
					if (name.endsWith(".java") || name.endsWith(".kt")) {
						files.add(ofSource(file, SourceDoc.read(file)));
					}
					else if (name.endsWith(".js") || name.endsWith(".html") || name.endsWith(".sql")
							|| name.endsWith("metadata.json")) {
						files.add(ofResource(file, SourceDoc.read(file)));
					}
				});
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return files.stream();
	}

	private static List<Path> mainFolders() {
		try (Stream<Path> modules = Stream.concat(Files.list(SourceDoc.ROOT),
				Files.list(SourceDoc.ROOT.resolve("samples")))) {
			return modules.filter((module) -> module.getFileName().toString().startsWith("reflector-"))
				.map((module) -> module.resolve("src/main"))
				.filter(Files::isDirectory)
				.sorted()
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
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
