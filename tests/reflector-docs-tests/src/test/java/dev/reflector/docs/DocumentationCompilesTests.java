package dev.reflector.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.reflector.fixture.SourceTree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Java code of each page compiles as it is printed, imports included. The blocks of
 * one page are compiled together, in one package: a block may use a type that another
 * block of the same page declares.
 */
class DocumentationCompilesTests {

	private static final Path ROOT = SourceTree.ROOT;

	private static final Pattern PUBLIC_TYPE = Pattern.compile("(?m)^public .*\\b(class|record|interface|enum)\\b");

	@TempDir
	private Path output;

	static Stream<Path> pages() {
		return SourceTree.files(ROOT)
			.stream()
			.filter((file) -> file.toString().endsWith(".md"))
			.filter((page) -> !Snippet.of(ROOT, page).isEmpty())
			.sorted();
	}

	@ParameterizedTest
	@MethodSource("pages")
	void everyPageCompilesAsItIsPrinted(Path page) {
		assertThat(new SnippetCompiler(this.output).errors(ours(page))).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("pages")
	void everyBlockCanBeOneFile(Path page) {
		assertThat(ours(page))
			.allSatisfy((block) -> assertThat(PUBLIC_TYPE.matcher(block.code()).results()).as(block::toString)
				.hasSizeLessThanOrEqualTo(1));
	}

	private static List<Snippet> ours(Path page) {
		return Snippet.of(ROOT, page).stream().filter(Snippet::ours).toList();
	}

	@Test
	void codeOfOtherClientsIsLeftOut() {
		assertThat(Snippet.of("a.md", "```java peer\n```\n```java\n```\n")).extracting(Snippet::ours)
			.containsExactly(false, true);
	}

	@Test
	void findsThePagesOfTheGuide() {
		assertThat(pages().map((page) -> ROOT.relativize(page).toString())).contains("README.md",
				Path.of("docs", "concepts.md").toString());
	}

	@Test
	void namesPageLineAndMessageOfCodeThatDoesNotCompile() {
		assertThat(errors("""
				# A page

				```java
				import java.util.List;

				class Names {

					List<String> names = Lists.of();

				}
				```
				""")).singleElement().asString().startsWith("a.md:8: cannot find symbol").contains("Lists");
	}

	@Test
	void aMissingImportIsAnError() {
		assertThat(errors("```java\nrecord Names(List<String> names) {\n}\n```\n")).singleElement()
			.asString()
			.startsWith("a.md:2: cannot find symbol");
	}

	@Test
	void blocksOfAPageSeeEachOthersTypesAndNoneOfTheTests() {
		assertThat(errors("```java\npublic record One(Two two) {\n}\n```\n\n~~~ java\nrecord Two() {\n}\n~~~\n"))
			.isEmpty();
		assertThat(errors("```java\nimport dev.reflector.fixture.SourceTree;\n\nrecord One(SourceTree it) {\n}\n```\n"))
			.isNotEmpty();
	}

	@Test
	void blocksOfOtherLanguagesAreLeftOut() {
		assertThat(Snippet.of("a.md", "```shell\n```\n```\n```java\n```\n\n```text\nno Java\n```\n")).isEmpty();
	}

	private List<String> errors(String page) {
		return new SnippetCompiler(this.output).errors(Snippet.of("a.md", page));
	}

}
