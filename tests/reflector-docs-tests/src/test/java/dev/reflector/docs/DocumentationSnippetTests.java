package dev.reflector.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.reflector.fixture.SourceTree;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the Java code of the guide is code that tests run: the code of each block,
 * except white space, package and imports, is in one file of the test sources or the
 * samples. Parts between two blank lines may be in a class of another name there. The
 * README is checked elsewhere, and {@link DocumentationCompilesTests} compiles all
 * blocks. Code in Kotlin, which is not compiled from the page, must be in a sample with
 * its imports.
 */
class DocumentationSnippetTests {

	private static final Path ROOT = SourceTree.ROOT;

	/** The first line of a type, or what closes one. */
	private static final Pattern FRAME = Pattern
		.compile("(@\\w+(\\([^{]*\\))?)*(public|final|static)*(class|record|interface)[^{]*\\{(}*)|}+");

	private static List<String> sources;

	private static List<String> kotlin;

	@BeforeAll
	static void readSources() {
		sources = squeezed(DocumentationSnippetTests::isExecuted);
		kotlin = squeezed((file) -> file.toString().endsWith(".kt") && file.startsWith(ROOT.resolve("samples")));
	}

	private static List<String> squeezed(Predicate<Path> chosen) {
		return SourceTree.files(ROOT)
			.stream()
			.filter(chosen)
			.map(DocumentationSnippetTests::read)
			.map(DocumentationSnippetTests::squeeze)
			.toList();
	}

	static Stream<Path> pages() throws IOException {
		try (Stream<Path> pages = Files.list(ROOT.resolve("docs"))) {
			return pages.filter((page) -> page.toString().endsWith(".md")).sorted().toList().stream();
		}
	}

	@ParameterizedTest
	@MethodSource("pages")
	void everyJavaBlockIsRunByATest(Path page) {
		assertThat(Snippet.of(ROOT, page)).allSatisfy(
				(block) -> assertThat(isKnown(block.code())).as("%s is in a test source: %s", block, block.code())
					.isTrue());
	}

	@ParameterizedTest
	@MethodSource("pages")
	void everyKotlinBlockStandsInASample(Path page) {
		assertThat(Snippet.of(ROOT, page, "kotlin")).allSatisfy(
				(block) -> assertThat(isKnownKotlin(block.code())).as("%s is in a sample: %s", block, block.code())
					.isTrue());
	}

	@Test
	void thePageAboutKotlinNamesTheVersionOfTheSample() {
		String build = read(ROOT.resolve("samples/reflector-sample-kotlin/pom.xml"));
		String version = build.replaceAll("(?s).*<kotlin.version>([^<]+)<.*", "$1");
		assertThat(read(ROOT.resolve("docs/kotlin.md"))).contains("org.jetbrains.kotlin.jvm' version '" + version + "'",
				"org.jetbrains.kotlin.plugin.spring' version '" + version + "'");
	}

	@Test
	void distinguishesKnownKotlinFromUnknown() {
		String lister = "import dev.reflector.Lister\n";
		assertThat(isKnownKotlin(lister + "\nclass Rollouts(private val deployments: Lister<Deployment>) {\n"))
			.isTrue();
		assertThat(isKnownKotlin(lister + "\nclass Rollouts(val deployments: Lister<Deployment>) {\n")).isFalse();
		assertThat(isKnownKotlin("import dev.reflector.ReflectorStatus\n")).isFalse();
		assertThat(isKnownKotlin("\n")).isFalse();
	}

	@Test
	void distinguishesKnownBlocksFromUnknown() {
		assertThat(isKnown(
				"\n  class   DocumentationSnippetTests {\n\n  static  Stream<Path> pages() throws IOException {"))
			.isTrue();
		assertThat(isKnown("import java.util.List;\n\nclass Other {\n\n\tprivate static List<String> sources;\n\n}\n"))
			.isTrue();
		assertThat(isKnown("class Documentation" + "SnippetTestsOfAnotherWorld {\n\n\tint sources" + "OfAnother;\n\n}"))
			.isFalse();
		assertThat(isKnown("class DocumentationSnippetTests {\n\n\tint sources" + "OfAnother;\n\n}")).isFalse();
		assertThat(isKnown("\n")).isFalse();
	}

	private static boolean isKnown(String block) {
		String code = Snippet.withoutHeader(block);
		List<String> parts = Stream.of(code.split("\\n\\s*\\n"))
			.map(DocumentationSnippetTests::squeeze)
			.filter((part) -> !part.isEmpty() && !FRAME.matcher(part).matches())
			.toList();
		// a type without members is known as a whole
		List<String> wanted = parts.isEmpty() ? List.of(squeeze(code)) : parts;
		return !squeeze(code).isEmpty()
				&& sources.stream().anyMatch((source) -> wanted.stream().allMatch(source::contains));
	}

	/**
	 * Imports are known one by one, as a sample may have more of them. A sample is in
	 * another package.
	 */
	private static boolean isKnownKotlin(String block) {
		String code = block.replaceAll("(?m)^package .*$", "").replaceAll("(?m)^import .*$", "$0\n");
		List<String> parts = Stream.of(code.split("\\n\\s*\\n"))
			.map(DocumentationSnippetTests::squeeze)
			.filter((part) -> !part.isEmpty())
			.toList();
		return !parts.isEmpty() && kotlin.stream().anyMatch((source) -> parts.stream().allMatch(source::contains));
	}

	private static boolean isExecuted(Path file) {
		String path = "/" + ROOT.relativize(file).toString().replace('\\', '/');
		return path.endsWith(".java") && (path.contains("/src/test/java/") || path.startsWith("/samples/"));
	}

	private static String squeeze(String code) {
		return code.replaceAll("(?m)^\\s*// (tag|end)::[\\w-]+\\[]$", "").replaceAll("\\s+", "");
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
