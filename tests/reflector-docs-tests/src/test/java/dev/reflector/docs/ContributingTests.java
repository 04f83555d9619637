package dev.reflector.docs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.fixture.SourceTree;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The classes, methods and files that the page for contributors sends a reader to are
 * there.
 */
class ContributingTests {

	private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```$");

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	private static final Pattern CLASS = Pattern.compile("([A-Z]\\w*[a-z]\\w*)(?:\\.([a-z]\\w*))?");

	private static final Pattern FILE = Pattern.compile("(?:[a-z-]+|[A-Z][a-z]\\w+)\\.(?:java|json|txt|go|sql)");

	private static final Pattern PATH = Pattern.compile("[\\w.-]+(?:/[\\w.-]+)+");

	/** Names of others. */
	private static final Set<String> OF_OTHERS = Set.of("PrometheusRule", "ShardedListAndWatch");

	private static final Map<String, List<Path>> FILES = SourceTree.files(SourceTree.ROOT)
		.stream()
		.collect(Collectors.groupingBy((file) -> file.getFileName().toString()));

	@Test
	void whatIsNamedIsThere() {
		String page = SourceDoc.read(SourceTree.ROOT.resolve("CONTRIBUTING.md"));
		assertThat(code(page)).hasSizeGreaterThan(150)
			.allSatisfy((code) -> assertThat(isThere(code)).as(code).isTrue());
	}

	@Test
	void whatIsMissingIsFound() {
		assertThat(code("`RulesTests`\n\n```shell\n`NoCode`\n```\n")).containsExactly("RulesTests");
		assertThat(isThere("RulesTests")).isTrue();
		assertThat(isThere("RulersTests")).isFalse();
		assertThat(isThere("LoopReporter.listed")).isTrue();
		assertThat(isThere("LoopReporter.listened")).isFalse();
		assertThat(isThere("docs/rules.md")).isTrue();
		assertThat(isThere("docs/rulers.md")).isFalse();
		assertThat(isThere("oracle.go")).isTrue();
		assertThat(isThere("oracles.go")).isFalse();
		assertThat(isThere("target/site") && isThere("-Dtests.seed=N") && isThere("mvn -q -Psite")).isTrue();
	}

	private static List<String> code(String page) {
		return CODE.matcher(BLOCK.matcher(page).replaceAll(""))
			.results()
			.map((code) -> code.group(1))
			.distinct()
			.toList();
	}

	/**
	 * Whether something is there, if it is the name of a class, of a method or of a file.
	 */
	private static boolean isThere(String code) {
		if (FILE.matcher(code).matches()) {
			return found(code).findAny().isPresent();
		}
		Matcher type = CLASS.matcher(code);
		if (type.matches()) {
			return OF_OTHERS.contains(code) || found(type.group(1) + ".java")
				.anyMatch((file) -> type.group(2) == null || SourceDoc.read(file).contains(" " + type.group(2) + "("));
		}
		Path path = PATH.matcher(code).matches() ? SourceTree.ROOT.resolve(code) : null;
		return path == null || Files.exists(path) || !Files.exists(SourceTree.ROOT.resolve(code.split("/")[0]));
	}

	private static Stream<Path> found(String file) {
		return FILES.getOrDefault(file, List.of()).stream();
	}

}
