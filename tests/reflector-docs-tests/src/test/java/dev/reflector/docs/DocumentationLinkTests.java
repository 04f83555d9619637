package dev.reflector.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.reflector.fixture.SourceTree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each link of a page to another page, to a file or to a heading has a target.
 * Other links are not followed.
 */
class DocumentationLinkTests {

	private static final Path ROOT = SourceTree.ROOT;

	private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

	private static final Pattern CODE = Pattern.compile("^```.*?^```\\s*$|`[^`\n]*`",
			Pattern.MULTILINE | Pattern.DOTALL);

	private static final Pattern BLOCK = Pattern.compile("^```.*?^```\\s*$", Pattern.MULTILINE | Pattern.DOTALL);

	private static final Pattern HEADING = Pattern.compile("^#+ +(.*)$", Pattern.MULTILINE);

	static Stream<Path> pages() throws IOException {
		List<Path> pages = new ArrayList<>();
		for (Path folder : List.of(ROOT, ROOT.resolve("docs"), ROOT.resolve("benchmarks"))) {
			try (Stream<Path> files = Files.list(folder)) {
				files.filter((file) -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
			}
		}
		return pages.stream();
	}

	@ParameterizedTest
	@MethodSource("pages")
	void everyLinkLeadsSomewhere(Path page) throws IOException {
		List<String> broken = new ArrayList<>();
		for (String link : links(page)) {
			if (!link.matches("[a-z]+:.*") && !leadsSomewhere(page, link)) {
				broken.add(link);
			}
		}
		assertThat(broken).as("broken links of %s", ROOT.relativize(page)).isEmpty();
	}

	@Test
	void brokenLinksAreFound() {
		Path page = ROOT.resolve("docs/events.md");
		assertThat(leadsSomewhere(page, "reading.md")).isTrue();
		assertThat(leadsSomewhere(page, "readings.md")).isFalse();
		assertThat(leadsSomewhere(page, "events.md#when-a-listener-fails")).isTrue();
		assertThat(leadsSomewhere(page, "#when-a-listener-flies")).isFalse();
		assertThat(leadsSomewhere(page, "../README.md#quick-start")).isTrue();
	}

	private static List<String> links(Path page) throws IOException {
		String text = CODE.matcher(Files.readString(page)).replaceAll("");
		return LINK.matcher(text).results().map((link) -> link.group(1)).toList();
	}

	private static boolean leadsSomewhere(Path page, String link) {
		int hash = link.indexOf('#');
		String file = (hash < 0) ? link : link.substring(0, hash);
		Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
		if (!Files.exists(target)) {
			return false;
		}
		return hash < 0 || anchors(target).contains(link.substring(hash + 1));
	}

	/** The anchors of the headings of a page, as code hosts make them. */
	private static List<String> anchors(Path page) {
		String text;
		try {
			text = BLOCK.matcher(Files.readString(page)).replaceAll("");
		}
		catch (IOException ex) {
			return List.of();
		}
		Map<String, Integer> times = new HashMap<>();
		return HEADING.matcher(text).results().map((heading) -> {
			String anchor = anchor(heading);
			int before = times.merge(anchor, 1, Integer::sum) - 1;
			return (before == 0) ? anchor : anchor + "-" + before;
		}).toList();
	}

	private static String anchor(MatchResult heading) {
		return heading.group(1)
			.strip()
			.replaceAll("]\\([^)]*\\)", "")
			.toLowerCase(Locale.ROOT)
			.replaceAll("[^\\p{L}\\p{N}_ -]", "")
			.replace(' ', '-');
	}

}
