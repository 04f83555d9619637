package dev.reflector.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.apache.lucene.analysis.hunspell.Dictionary;
import org.apache.lucene.analysis.hunspell.Hunspell;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The words of the pages are in a dictionary of American English, or in {@code words.txt}
 * with the terms and names of this project. Pages, comments (those of tests, benchmarks
 * and build files included), log lines and messages avoid the phrases of
 * {@link PlainWords}.
 */
class SpellingTests {

	private static final String DICTIONARY = "/META-INF/resources/webjars/typo-js/1.2.4/dictionaries/en_US/en_US.";

	private static Hunspell english;

	private static List<String> own;

	private static Set<String> known;

	@BeforeAll
	static void readDictionary() throws IOException, ParseException {
		try (InputStream affixes = resource(DICTIONARY + "aff"); InputStream words = resource(DICTIONARY + "dic")) {
			english = new Hunspell(new Dictionary(new ByteBuffersDirectory(), "en", affixes, words));
		}
		try (InputStream words = resource("/words.txt")) {
			own = new String(words.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
		}
		known = new HashSet<>(own);
	}

	static Stream<Path> pages() {
		List<Path> pages = new ArrayList<>(
				Stream.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/README.md")
					.map(SourceDoc.ROOT::resolve)
					.toList());
		try (Stream<Path> files = Files.list(SourceDoc.ROOT.resolve("docs"))) {
			files.filter((file) -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return pages.stream();
	}

	@ParameterizedTest
	@MethodSource("pages")
	void everyWordIsSpeltAsItIsKnown(Path page) {
		assertThat(unknown(Prose.of(page))).as("unknown words in %s", SourceDoc.ROOT.relativize(page)).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("pages")
	void pagesUsePlainWords(Path page) {
		assertThat(PlainWords.ofPage(page, SourceDoc.read(page)).findings()).isEmpty();
	}

	@Test
	void sourcesUsePlainWords() {
		assertThat(PlainWords.ofRepository().flatMap((file) -> file.findings().stream())).isEmpty();
	}

	@Test
	void phrasesToAvoidAreFound() {
		Path file = Path.of("Told.java");
		assertThat(PlainWords.ofSource(file, """
				/**
				 * {@code told} goes
				 * on.
				 */
				void tell() {
					log("begins "
							+ "anew, with the log of its own write", '"'); // told
				}
				""").findings()).containsExactly(
				"Told.java:7: 'told' reads as translated; write: say, show, report, deliver, notify or distinguish",
				"Told.java:7: 'anew' reads as translated; write: again, or start over",
				"Told.java:2: 'goes on' reads as translated; write: continue, keep, resume, or is in progress");
		assertThat(PlainWords.ofComments(file, "String text = \"told\"; // told").findings()).hasSize(1);
		assertThat(PlainWords.ofBuildFile(Path.of("pom.xml"), "<told/>\n<!-- told -->").findings()).singleElement()
			.asString()
			.startsWith("pom.xml:2: 'told'");
		assertThat(PlainWords.ofPage(file, "A\n```java\nanew\n```\n`anew` is\nto be\n").findings())
			.containsExactly("Told.java:5: 'is to be' reads as translated; write: must be, will be, or the infinitive");
	}

	@Test
	void mistakesAreFound() {
		assertThat(
				unknown(Prose.of("A recieved [wacth](x/notaword.md) of `notaword`s, it's **definately** the server's.\n"
						+ "```java\nnotaword();\n```\nThe end-pionts of 64x2 at http://notaword.test.")))
			.containsExactly("definately", "pionts", "recieved", "wacth");
	}

	@Test
	void ownWordsAreInOrderAndNeeded() {
		assertThat(own).isNotEmpty()
			.doesNotHaveDuplicates()
			.isSortedAccordingTo(String.CASE_INSENSITIVE_ORDER.thenComparing(Comparator.naturalOrder()))
			.allSatisfy((word) -> assertThat(english.spell(word)).as("'%s' is in the dictionary", word).isFalse());
	}

	private static Set<String> unknown(Prose prose) {
		Set<String> unknown = new TreeSet<>();
		for (String word : prose.words()) {
			if (!isKnown(word) && !isKnown(word.replaceAll("'(s|re|t|d|ll|ve)?$", ""))) {
				unknown.add(word);
			}
		}
		return unknown;
	}

	/** A word of the project may begin a sentence. */
	private static boolean isKnown(String word) {
		return word.length() == 1 || known.contains(word)
				|| known.contains(Character.toLowerCase(word.charAt(0)) + word.substring(1)) || english.spell(word);
	}

	private static InputStream resource(String name) {
		return Objects.requireNonNull(SpellingTests.class.getResourceAsStream(name), name);
	}

}
