package dev.reflector.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The guide stays short enough to be read, and the README lists all its pages.
 */
class GuideTests {

	private static final int WORDS = 15_200;

	/**
	 * Pages for looking things up, or about internals. Users do not read them from start
	 * to end.
	 */
	private static final Set<String> NO_GUIDE = Set.of("architecture.md", "conditions.md", "conformance.md",
			"dependencies.md", "faults.md", "reference.md", "releasing.md", "replicas.md", "rules.md", "snapshots.md");

	private static final Pattern LISTED = Pattern.compile("\\[[^\\]]+]\\(docs/([a-z-]+\\.md)\\)");

	@Test
	void theGuideHasNoMoreWordsThanSomebodyReads() throws IOException {
		Map<String, Integer> words = new LinkedHashMap<>();
		for (Path page : pages()) {
			if (!NO_GUIDE.contains(page.getFileName().toString())) {
				words.put(page.getFileName().toString(), Prose.of(page).length());
			}
		}
		assertThat(words).hasSizeGreaterThan(10).containsKeys("start.md", "events.md", "compared.md");
		assertThat(words.values().stream().mapToInt(Integer::intValue).sum()).as("words of %s", words)
			.isLessThanOrEqualTo(WORDS);
	}

	@Test
	void theReadmeListsEachPageOnce() throws IOException {
		String readme = SourceDoc.read(SourceDoc.ROOT.resolve("README.md"));
		List<String> listed = LISTED.matcher(readme.substring(readme.indexOf("## Read on")))
			.results()
			.map((item) -> item.group(1))
			.toList();
		assertThat(listed).containsExactlyInAnyOrderElementsOf(
				pages().stream().map((page) -> page.getFileName().toString()).toList());
	}

	@Test
	void codeIsNotCounted() {
		assertThat(Prose.of("# Two words\n\n```java\nnot these words;\n```\n\nThree `more` | words.\n").length())
			.isEqualTo(5);
	}

	private static List<Path> pages() throws IOException {
		try (Stream<Path> files = Files.list(SourceDoc.ROOT.resolve("docs"))) {
			return files.filter((file) -> file.toString().endsWith(".md")).sorted().toList();
		}
	}

}
