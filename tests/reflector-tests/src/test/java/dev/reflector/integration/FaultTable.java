package dev.reflector.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.reflector.ReflectorState;
import dev.reflector.fixture.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of faults of the guide: the state that the endpoint shows, the log line, and
 * what happens.
 */
final class FaultTable {

	private static final Path PAGE = SourceTree.ROOT.resolve("docs").resolve("faults.md");

	private static final String BEGIN = "<!-- faults -->";

	private static final String END = "<!-- end of faults -->";

	private FaultTable() {
	}

	/** The rows in the order of the page. */
	static List<Row> rows() {
		String page = read();
		int begin = page.indexOf(BEGIN);
		int end = page.indexOf(END);
		assertThat(begin).as(BEGIN + " in " + PAGE).isNotNegative();
		assertThat(end).as(END + " in " + PAGE).isGreaterThan(begin);
		return page.substring(begin + BEGIN.length(), end)
			.lines()
			.filter((line) -> line.startsWith("|"))
			// the head of the table and the line below it
			.skip(2)
			.map(Row::of)
			.toList();
	}

	private static String read() {
		try {
			return Files.readString(PAGE);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A row.
	 *
	 * @param fault what happens
	 * @param state the state that the endpoint shows, while it lasts or afterwards
	 * @param lines the log lines, with an ellipsis for what differs from time to time
	 */
	record Row(String fault, ReflectorState state, List<String> lines) {

		private static final Pattern CODE = Pattern.compile("`([^`]+)`");

		private static final Pattern SEEN = Pattern.compile("`([A-Z_]+)`: (.+)");

		static Row of(String text) {
			List<String> cells = Arrays.stream(text.split("(?<!\\\\)\\|")).map(String::trim).skip(1).toList();
			assertThat(cells).as("cells of the row '%s'", text).hasSize(4);
			Matcher seen = SEEN.matcher(cells.get(0));
			assertThat(seen.matches()).as("a state before the log lines of the row '%s'", text).isTrue();
			List<String> lines = codes(seen.group(2));
			assertThat(lines).as("log lines of the row '%s'", text)
				.isNotEmpty()
				// or any line would do
				.allMatch((line) -> line.chars().anyMatch(Character::isLetter));
			assertThat(cells).as("answers of the row '%s'", text).noneMatch(String::isEmpty);
			return new Row(cells.get(1), ReflectorState.valueOf(seen.group(1)), lines);
		}

		private static List<String> codes(String cell) {
			return CODE.matcher(cell).results().map((match) -> match.group(1)).toList();
		}

		/** Whether a line of the log is one of the row. Figures may differ. */
		static boolean matches(String line, String logged) {
			String expression = Arrays.stream(line.split("…", -1))
				.map((part) -> Arrays.stream(part.split("\\d+", -1))
					.map(Pattern::quote)
					.collect(Collectors.joining("\\d+")))
				.collect(Collectors.joining(".*"));
			return Pattern.compile(expression, Pattern.DOTALL).matcher(logged).find();
		}

	}

}
