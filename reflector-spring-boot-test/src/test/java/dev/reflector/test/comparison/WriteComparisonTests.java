package dev.reflector.test.comparison;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the embedded server writes like a real one: the requests of
 * {@code writes.txt} are sent to the embedded server, and its answers are compared with
 * those of a real server, which are recorded in {@code write-answers.txt}: status,
 * reason, causes, and the object without times, with its managers. Where they differ on
 * purpose, {@code write-differences.txt} has the answer of the embedded server and the
 * reason.
 * <p>
 * {@code -Dreflector.it.kubeconfig=FILE} also sends the requests to a real server and
 * compares its answers with the record; {@code -Dreflector.wire.record=FILE} writes those
 * answers to a file that can replace the record.
 */
class WriteComparisonTests {

	static final String KUBECONFIG = "reflector.it.kubeconfig";

	private static final String WRITES = "writes.txt";

	private static final String ANSWERS = "write-answers.txt";

	private static final String DIFFERENCES = "write-differences.txt";

	@Test
	void theEmbeddedServerAnswersAsTheRecordSays() {
		Map<String, String> expected = record(ANSWERS);
		expected.putAll(record(DIFFERENCES));
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.definition(definition())
			.garbageCollection(false)
			.start()) {
			assertThat(differences(expected, WritePlayer.to(server).play(ScriptedWrite.read(WRITES)))).isEmpty();
		}
	}

	@Test
	void noDifferenceIsAllowedThatIsNone() {
		Map<String, String> answers = record(ANSWERS);
		assertThat(record(DIFFERENCES))
			.allSatisfy((name, answer) -> assertThat(answers).containsKey(name).doesNotContainEntry(name, answer));
		assertThat(ScriptedWrite.read(WRITES)).extracting(ScriptedWrite::name)
			.containsExactlyElementsOf(answers.keySet());
	}

	@Test
	@EnabledIfSystemProperty(named = KUBECONFIG, matches = ".+",
			disabledReason = "no real API server: name one with -Dreflector.it.kubeconfig=<file>")
	void aRealServerAnswersAsTheRecordSays() throws IOException {
		Map<String, String> actual = WritePlayer.toReal(Path.of(System.getProperty(KUBECONFIG)), definition())
			.play(ScriptedWrite.read(WRITES));
		String file = System.getProperty("reflector.wire.record");
		if (file != null) {
			StringBuilder text = new StringBuilder();
			actual.forEach((name, answer) -> text.append("## ").append(name).append('\n').append(answer).append('\n'));
			Files.writeString(Path.of(file), text);
		}
		else {
			assertThat(differences(record(ANSWERS), actual)).isEmpty();
		}
	}

	static String definition() {
		return String.join("", ScriptedWrite.text("gadgets.txt").values());
	}

	/** The answers, without the comments that say why they differ. */
	private static Map<String, String> record(String file) {
		Map<String, String> record = new LinkedHashMap<>();
		ScriptedWrite.text(file).forEach((name, text) -> record.put(name, text.replaceAll("(?m)^# .*\\n", "").strip()));
		return record;
	}

	private static List<String> differences(Map<String, String> expected, Map<String, String> actual) {
		List<String> differences = new ArrayList<>();
		actual.forEach((name, answer) -> {
			if (!answer.equals(expected.get(name))) {
				differences.add(name + "\n  expected: " + expected.get(name) + "\n  actual:   " + answer);
			}
		});
		return differences;
	}

}
