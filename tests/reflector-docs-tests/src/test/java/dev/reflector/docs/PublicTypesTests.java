package dev.reflector.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.fixture.SourceTree;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each public type is named, as code, in a page for users or in a sample, and its Javadoc
 * begins with a sentence about it.
 */
class PublicTypesTests {

	private static final Path ROOT = SourceTree.ROOT;

	/** Generated pages, and pages for contributors. */
	private static final Set<String> NOT_FOR_USERS = Set.of("architecture.md", "conditions.md", "conformance.md",
			"dependencies.md", "releasing.md", "rules.md");

	private static final Pattern TYPE = Pattern
		.compile("(?m)^public (?:[a-z-]+ )*(?:class|interface|record|enum|@interface) (\\w+)");

	/** Finds text between backquotes, one or three of them. */
	private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`]+`");

	private static final Pattern WORD = Pattern.compile("\\w+");

	private static final Pattern JAVADOC = Pattern.compile("(?s)/\\*\\*\\s+\\* (\\S.*?)\\*/");

	private static final Pattern RULE = Pattern.compile("\\b[WRDSIE]-\\d{2,3}\\b");

	@Test
	void eachIsUsedInTheGuideOrASample() {
		Predicate<String> named = namedForUsers();
		assertThat(publicTypes()).hasSizeGreaterThan(50)
			.allSatisfy(
					(type) -> assertThat(named.test(type)).as("%s is named in the guide or a sample", type).isTrue());
	}

	@Test
	void eachBeginsWithASentenceAboutItself() {
		assertThat(sources().filter(PublicTypesTests::isPublic))
			.allSatisfy((source) -> assertThat(firstParagraph(source)).endsWith("."));
	}

	@Test
	void eachSaysSinceWhenItIsThere() {
		assertThat(sources().filter(PublicTypesTests::isPublic))
			.allSatisfy((source) -> assertThat(source).containsPattern("(?m)^ \\* @since \\d+\\.\\d+\\.\\d+$"));
	}

	/**
	 * Numbers of rules say nothing to a user. They belong in comments of internal code.
	 */
	@Test
	void theirJavadocNamesNoRules() {
		assertThat(sources().filter(PublicTypesTests::isPublic)
			.flatMap((source) -> JAVADOC.matcher(source).results())
			.flatMap((javadoc) -> RULE.matcher(javadoc.group()).results())
			.map(MatchResult::group)).isEmpty();
	}

	@Test
	void distinguishesTypesAndCodeFromOtherText() {
		assertThat(TYPE.matcher("public abstract sealed class Shape permits Circle {").results()).hasSize(1);
		assertThat(TYPE.matcher("final class Circle {\n\tpublic static class Inner {").results()).isEmpty();
		assertThat(WORD.matcher("`Circle.of(1)` and ```\nnew Square()\n```").results().map(MatchResult::group))
			.contains("Circle", "Square");
		assertThat(code("Circle, `Square` and\n```java\nnew Line();\n```")).contains("Square", "Line")
			.doesNotContain("Circle");
		assertThat(WORD.matcher("Circles").results().map(MatchResult::group)).containsExactly("Circles");
		assertThat(firstParagraph("/**\n * A line\n * of text.\n * @param x\n */\npublic class Line {"))
			.isEqualTo("A line\n * of text.");
		assertThat(firstParagraph("public class Line {\n/**\n * Another.\n */")).isEmpty();
	}

	/** Whether a simple name stands in the guide, as code, or in a sample. */
	static Predicate<String> namedForUsers() {
		String code = pages().map(PublicTypesTests::code).collect(Collectors.joining("\n"));
		String samples = javaFiles(ROOT.resolve("samples")).map(PublicTypesTests::read)
			.collect(Collectors.joining("\n"));
		return Stream.of(code, samples)
			.flatMap((text) -> WORD.matcher(text).results())
			.map(MatchResult::group)
			.collect(Collectors.toSet())::contains;
	}

	static boolean isPublic(String source) {
		return TYPE.matcher(source).find();
	}

	private static String code(String page) {
		return CODE.matcher(page).results().map(MatchResult::group).collect(Collectors.joining("\n"));
	}

	private static String firstParagraph(String source) {
		Matcher type = TYPE.matcher(source);
		Matcher javadoc = JAVADOC.matcher(source);
		return (type.find() && javadoc.find() && javadoc.start() < type.start())
				? javadoc.group(1).split("\\n \\* (?:<p>|@)|\\n \\*\\s*\\n")[0].strip() : "";
	}

	private static List<String> publicTypes() {
		return sources().flatMap((source) -> TYPE.matcher(source).results()).map((match) -> match.group(1)).toList();
	}

	private static Stream<String> sources() {
		// whose classes are not on the class path here
		Stream<Path> console = javaFiles(ROOT.resolve("reflector-spring-boot-console/src/main/java"));
		return Stream.concat(librarySources(), console).map(PublicTypesTests::read);
	}

	static Stream<Path> librarySources() {
		return Stream
			.of("reflector-core", "reflector-client", "reflector-snapshot-jdbc", "reflector-kafka",
					"reflector-spring-boot-autoconfigure", "reflector-spring-boot-test")
			.flatMap((module) -> javaFiles(ROOT.resolve(module).resolve("src/main/java")))
			.filter((file) -> !file.toString().contains("/internal/"));
	}

	private static Stream<String> pages() {
		return Stream
			.concat(Stream.of(ROOT.resolve("README.md")),
					SourceTree.files(ROOT.resolve("docs"))
						.stream()
						.filter((page) -> page.toString().endsWith(".md"))
						.filter((page) -> !NOT_FOR_USERS.contains(page.getFileName().toString())))
			.map(PublicTypesTests::read);
	}

	private static Stream<Path> javaFiles(Path folder) {
		return SourceTree.files(folder).stream().filter((file) -> file.toString().endsWith(".java"));
	}

	static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
