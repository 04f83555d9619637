package dev.reflector;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.reflector.fixture.SourceTree;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of conformance is complete, and the tests it names exist and run.
 */
class ConformanceTests {

	private static final Path ROOT = SourceTree.ROOT;

	private static final Pattern ROW = Pattern.compile("(?m)^\\| ([CX]-\\d+) \\| (.+?) \\| (.+?) \\|$");

	private static final Pattern TEST_NAME = Pattern.compile("`([A-Z]\\w*Tests)\\.(\\w+)`");

	private static final Pattern RUN = Pattern
		.compile("@(Test|ParameterizedTest|RepeatedTest|TestFactory|ArchTest)\\b");

	/**
	 * A section of the checklist: its rows, and whether it is outside of this project.
	 */
	private static final Pattern SECTION = Pattern.compile("7\\.\\d+ ([CX])-(\\d+)\\.\\.\\1-(\\d+)( outside)?");

	private static final Map<Path, String> READ = new HashMap<>();

	private static Map<String, List<Path>> sources;

	private static Map<String, Row> rows;

	@BeforeAll
	static void readAll() throws IOException {
		sources = new TreeMap<>();
		SourceTree.files(ROOT)
			.stream()
			.filter((file) -> file.toString().replace('\\', '/').contains("/src/test/java/"))
			.filter((file) -> file.toString().endsWith("Tests.java"))
			.forEach((file) -> sources
				.computeIfAbsent(file.getFileName().toString().replace(".java", ""), (name) -> new ArrayList<>())
				.add(file));
		rows = new TreeMap<>();
		List<String> twice = new ArrayList<>();
		ROW.matcher(Files.readString(ROOT.resolve("docs/conformance.md"))).results().forEach((match) -> {
			Row row = new Row(match.group(1), match.group(2), match.group(3));
			if (rows.put(row.id(), row) != null) {
				twice.add(row.id());
			}
		});
		assertThat(twice).as("rows that stand twice").isEmpty();
	}

	@Test
	void everyRowOfTheChecklistIsThereAndNoOther() throws IOException {
		assertThat(rows.keySet()).containsExactlyInAnyOrderElementsOf(checklist(false)).contains("C-247", "C-271");
	}

	/** The file with the list of rows has no gaps. */
	@Test
	void theChecklistHasNoGaps() throws IOException {
		List<String> all = new ArrayList<>(checklist(false));
		all.addAll(checklist(true));
		List<String> expected = new ArrayList<>();
		IntStream.rangeClosed(1, 485).forEach((row) -> expected.add("C-%03d".formatted(row)));
		IntStream.rangeClosed(1, 32).forEach((row) -> expected.add("X-%02d".formatted(row)));
		assertThat(all).containsExactlyInAnyOrderElementsOf(expected);
	}

	private static List<String> checklist(boolean outside) throws IOException {
		List<String> ids = new ArrayList<>();
		try (InputStream in = ConformanceTests.class.getResourceAsStream("conformance-rows.txt")) {
			assertThat(in).isNotNull();
			for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
				if (line.startsWith("#")) {
					continue;
				}
				Matcher section = SECTION.matcher(line);
				assertThat(section.matches()).as(line).isTrue();
				if ((section.group(4) != null) == outside) {
					String id = section.group(1) + "-%0" + section.group(2).length() + "d";
					IntStream.rangeClosed(Integer.parseInt(section.group(2)), Integer.parseInt(section.group(3)))
						.forEach((row) -> ids.add(id.formatted(row)));
				}
			}
		}
		return ids;
	}

	@Test
	void everyRowNamesATestOrAReason() {
		assertThat(rows.values()).allSatisfy((row) -> assertThat(row.tests().isEmpty() && row.proof().length() < 40)
			.as("%s has neither a test nor a reason: %s", row.id(), row.proof())
			.isFalse());
	}

	@Test
	void everyNamedTestExistsAndRuns() {
		List<String> wrong = new ArrayList<>();
		rows.values().forEach((row) -> row.tests().forEach((test) -> {
			String problem = problem(test);
			if (problem != null) {
				wrong.add(row.id() + ": " + test + " " + problem);
			}
		}));
		assertThat(wrong).isEmpty();
	}

	@Test
	void distinguishesTestsThatRunFromOthers() {
		assertThat(problem(new TestName("ConformanceTests", "distinguishesTestsThatRunFromOthers"))).isNull();
		assertThat(problem(new TestName("ConformanceTests", "problem"))).isNotNull();
		assertThat(problem(new TestName("ConformanceTests", "noSuchMethod"))).isNotNull();
		assertThat(problem(new TestName("NoSuchTests", "anything"))).isNotNull();
	}

	/** Two modules may have a test class of one name. */
	private static String problem(TestName test) {
		String problem = "is in no test class";
		for (Path source : sources.getOrDefault(test.className(), List.of())) {
			problem = problem(source, test);
			if (problem == null) {
				return null;
			}
		}
		return problem;
	}

	private static String problem(Path source, TestName test) {
		String annotations = annotations(read(source), test.method());
		if (annotations == null) {
			return "does not exist";
		}
		if (!RUN.matcher(annotations).find()) {
			return "is no test";
		}
		boolean disabled = annotations.contains("@Disabled") || disabledClass(read(source), test.className());
		return disabled ? "is disabled" : skipped(source, test);
	}

	private static boolean disabledClass(String source, String className) {
		String before = source.substring(0, source.indexOf("class " + className));
		return before.contains("\n@Disabled") || before.contains("\n@Enabled");
	}

	/** The text before a method, from the end of the previous member on. */
	private static String annotations(String source, String method) {
		Matcher declaration = Pattern.compile("\\bvoid\\s+" + method + "\\s*\\(").matcher(source);
		if (!declaration.find()) {
			declaration = Pattern.compile("\\bArchRule\\s+" + method + "\\b").matcher(source);
			if (!declaration.find()) {
				return null;
			}
		}
		String before = source.substring(0, declaration.start());
		int end = Math.max(before.lastIndexOf("\t}\n"), before.lastIndexOf(";\n"));
		return before.substring(Math.max(0, end));
	}

	/**
	 * Returns what is wrong with the last run of a test, or {@code null} if it has run or
	 * has no report. Reports exist for the modules that this build has already tested,
	 * and in part for those that it tests at the same time.
	 */
	private static String skipped(Path source, TestName test) {
		Path module = source;
		while (!Files.exists(module.resolve("pom.xml"))) {
			module = module.getParent();
		}
		Path reports = module.resolve("target/surefire-reports");
		if (module.equals(Path.of("").toAbsolutePath()) || !Files.isDirectory(reports)) {
			return null;
		}
		try (Stream<Path> files = Files.list(reports)) {
			List<String> ofClass = files.filter(
					(file) -> file.getFileName().toString().matches("TEST-.*\\." + test.className() + "(\\$.*)?\\.xml"))
				// a report from before the last change of the test does not count
				.filter((file) -> file.toFile().lastModified() > source.toFile().lastModified())
				.map(ConformanceTests::read)
				// another module may be writing it
				.filter((report) -> report.strip().endsWith("</testsuite>"))
				.toList();
			if (ofClass.isEmpty()) {
				// a build that runs only some tests
				return null;
			}
			Pattern run = Pattern.compile("<testcase name=\"" + test.method() + "\\b[^>]*?(/>|>\\s*(?!<skipped))");
			return ofClass.stream().anyMatch((report) -> run.matcher(report).find()) ? null
					: "has not run, or was skipped";
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(Path file) {
		return READ.computeIfAbsent(file, (unread) -> {
			try {
				return Files.readString(unread);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	private record TestName(String className, String method) {

		@Override
		public String toString() {
			return this.className + "." + this.method;
		}

	}

	private record Row(String id, String pins, String proof) {

		List<TestName> tests() {
			return TEST_NAME.matcher(this.proof)
				.results()
				.map((match) -> new TestName(match.group(1), match.group(2)))
				.toList();
		}

	}

}
