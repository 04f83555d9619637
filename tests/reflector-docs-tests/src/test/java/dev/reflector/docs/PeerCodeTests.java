package dev.reflector.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the code of other clients in {@code docs/migrating.md} compiles with them:
 * each block that is marked by {@code java peer} is, with its imports, a source of these
 * tests.
 */
class PeerCodeTests {

	private static final Path PEERS = Path.of("src/test/java/com/example/peers");

	private static final Pattern BLOCK = Pattern.compile("(?ms)^```java peer\\n(.*?)^```$");

	@Test
	void codeOfOtherClientsIsCompiled() throws IOException {
		List<String> blocks = BLOCK.matcher(SourceDoc.read(SourceDoc.ROOT.resolve("docs/migrating.md")))
			.results()
			.map((MatchResult block) -> block.group(1).strip())
			.toList();
		assertThat(blocks).hasSameSizeAs(sources()).containsExactlyInAnyOrderElementsOf(sources());
	}

	private static List<String> sources() throws IOException {
		try (Stream<Path> files = Files.walk(PEERS)) {
			return files.filter(Files::isRegularFile)
				.map(SourceDoc::read)
				.map((source) -> source.replaceFirst("^package [^;]*;", "").strip())
				.toList();
		}
	}

}
