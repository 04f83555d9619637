package dev.reflector.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Java code of the guide is code that tests run: each block stands, white space
 * aside, in one file of the test sources or the samples. The README is checked elsewhere.
 */
class DocumentationSnippetTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\\s*$(.*?)^```\\s*$");

	private static List<String> sources;

	@BeforeAll
	static void readSources() throws IOException {
		try (Stream<Path> files = Files.walk(ROOT)) {
			sources = files.filter(DocumentationSnippetTests::isExecuted)
				.map(DocumentationSnippetTests::read)
				.map(DocumentationSnippetTests::squeeze)
				.toList();
		}
	}

	static Stream<Path> pages() throws IOException {
		try (Stream<Path> pages = Files.list(ROOT.resolve("docs"))) {
			return pages.filter((page) -> page.toString().endsWith(".md")).sorted().toList().stream();
		}
	}

	@ParameterizedTest
	@MethodSource("pages")
	void everyJavaBlockIsRunByATest(Path page) {
		assertThat(blocks(read(page)))
			.allSatisfy((block) -> assertThat(isKnown(block)).as("is in a test source: %s", block).isTrue());
	}

	@Test
	void findsTheBlocksOfAPageAndTellsKnownFromUnknown() {
		assertThat(blocks("a\n```java\nfirst();\n```\nb\n```\nno java\n```\n```java\nsecond();\n```\n"))
			.containsExactly("\nfirst();\n", "\nsecond();\n");
		assertThat(isKnown("\n  class   DocumentationSnippetTests {\n")).isTrue();
		assertThat(isKnown("class Documentation" + "SnippetTestsOfAnotherWorld {")).isFalse();
		assertThat(isKnown("\n")).isFalse();
	}

	private static List<String> blocks(String page) {
		return JAVA_BLOCK.matcher(page).results().map((match) -> match.group(1)).toList();
	}

	private static boolean isKnown(String block) {
		String squeezed = squeeze(block);
		return !squeezed.isEmpty() && sources.stream().anyMatch((source) -> source.contains(squeezed));
	}

	private static boolean isExecuted(Path file) {
		String path = "/" + ROOT.relativize(file).toString().replace('\\', '/');
		return path.endsWith(".java") && !path.contains("/target/")
				&& (path.contains("/src/test/java/") || path.startsWith("/samples/"));
	}

	private static String squeeze(String code) {
		return code.replaceAll("(?m)^\\s*// (tag|end)::\\w+\\[]$", "").replaceAll("\\s+", "");
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
