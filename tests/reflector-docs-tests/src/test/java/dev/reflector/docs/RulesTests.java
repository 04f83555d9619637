package dev.reflector.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.reflector.fixture.SourceTree;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of rules explains each number that the code of the modules or the page of
 * conformance uses, and no other.
 */
class RulesTests {

	private static final Pattern NUMBER = Pattern.compile("\\b[WRDSIE]-\\d{2}\\b");

	/** Both ends of a range, which may be on two lines of a comment. */
	private static final Pattern RANGE = Pattern.compile("\\b([WRDSIE])-(\\d{2})[\\s*]+to[\\s*]+\\1-(\\d{2})\\b");

	/** The name of a test that shows a rule. */
	private static final Pattern TEST = Pattern.compile("\\bvoid ((?:[a-z]\\d{2,3}_)+)[a-z]\\w*\\(");

	private static final Pattern CONFORMANCE = Pattern.compile("\\b[CX]-\\d{2,3}\\b");

	private static final Pattern ROW = Pattern.compile("(?m)^\\| ([WRDSIE]-\\d{2}) \\| (\\S.*\\.) \\|$");

	private static final int WORDS = 25;

	@Test
	void eachNumberInTheCodeOfAModuleIsExplained() {
		Set<String> used = numbers(NUMBER, main());
		assertThat(used).hasSizeGreaterThan(100);
		assertThat(explained()).containsAll(used);
		assertThat(numbers(CONFORMANCE, page("conformance.md"))).containsAll(numbers(CONFORMANCE, main()));
	}

	@Test
	void eachNumberOfThePageOfConformanceIsExplained() {
		assertThat(explained()).containsAll(numbers(NUMBER, page("conformance.md")));
	}

	@Test
	void eachRowIsOfUse() {
		Set<String> used = numbers(NUMBER, main(), page("conformance.md"));
		used.addAll(ranges(main()));
		used.addAll(tested(java((path) -> path.contains("/src/test/java/"))));
		assertThat(used).containsAll(explained());
	}

	@Test
	void eachRowIsOneSentence() {
		List<MatchResult> rows = ROW.matcher(page("rules.md")).results().toList();
		assertThat(rows).extracting((row) -> row.group(1)).isSorted().doesNotHaveDuplicates();
		assertThat(rows).hasSize((int) page("rules.md").lines().filter((line) -> line.matches("\\| \\w-.*")).count())
			.allSatisfy((row) -> assertThat(row.group(2).split("\\s+").length).as("words of %s", row.group())
				.isLessThanOrEqualTo(WORDS));
	}

	@Test
	void numbersRangesAndNamesAreFound() {
		String comment = "// E-99: nothing, see rules D-97 to\n\t * D-99, P-256 and R-100";
		assertThat(numbers(NUMBER, comment)).containsExactly("D-97", "D-99", "E-99");
		assertThat(explained()).doesNotContain("E-99");
		assertThat(ranges(comment)).containsExactly("D-97", "D-98", "D-99");
		assertThat(tested("\tvoid c001_e99_aThing() {\n\tvoid r02And() {\n\tvoid s03_other() {"))
			.containsExactly("C-001", "E-99", "S-03");
	}

	private static List<String> explained() {
		return ROW.matcher(page("rules.md")).results().map((row) -> row.group(1)).toList();
	}

	private static Set<String> numbers(Pattern pattern, String... texts) {
		return Stream.of(texts)
			.flatMap((text) -> pattern.matcher(text).results())
			.map(MatchResult::group)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static Set<String> ranges(String text) {
		Set<String> numbers = new TreeSet<>();
		Matcher range = RANGE.matcher(text);
		while (range.find()) {
			IntStream.rangeClosed(Integer.parseInt(range.group(2)), Integer.parseInt(range.group(3)))
				.forEach((number) -> numbers.add("%s-%02d".formatted(range.group(1), number)));
		}
		return numbers;
	}

	private static Set<String> tested(String text) {
		return TEST.matcher(text)
			.results()
			.flatMap((test) -> Stream.of(test.group(1).split("_")))
			.map((number) -> Character.toUpperCase(number.charAt(0)) + "-" + number.substring(1))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** The code of all modules that are published. */
	private static String main() {
		return java((path) -> path.matches("reflector-[^/]+/src/main/java/.*"));
	}

	private static String java(Predicate<String> wanted) {
		return SourceTree.files(SourceTree.ROOT)
			.stream()
			.filter((file) -> file.toString().endsWith(".java"))
			.filter((file) -> wanted.test(SourceTree.ROOT.relativize(file).toString()))
			.map(RulesTests::read)
			.collect(Collectors.joining("\n"));
	}

	private static String page(String name) {
		return read(SourceTree.ROOT.resolve("docs").resolve(name));
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
