package dev.reflector.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the embedded server answers like a real one: the same script is played to
 * the embedded server, and its answers are compared with those of a real server, which
 * are recorded in {@code wire-answers.txt}. Where they differ on purpose,
 * {@code wire-differences.txt} has the answer of the embedded server and the reason.
 * <p>
 * {@code -Dreflector.it.kubeconfig=FILE} also plays the script to a real server and
 * compares its answers with the record; {@code -Dreflector.wire.record=FILE} writes those
 * answers to a file that can replace the record. The script creates and deletes two
 * resource types.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WireComparisonTests {

	private static final String ANSWERS = "wire-answers.txt";

	private static final String DIFFERENCES = "wire-differences.txt";

	private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

	private static final String DEFINITION = """
			{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",\
			"metadata":{"name":"parts.wire.example.com"},"spec":{"group":"wire.example.com","scope":"Namespaced",\
			"names":{"plural":"parts","singular":"part","kind":"Part","listKind":"PartList","shortNames":["pt"]},\
			"versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},\
			"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}""";

	private static final String CLUSTER_SCOPED = DEFINITION.replace("Namespaced", "Cluster")
		.replace("part", "plan")
		.replace("Part", "Plan")
		.replace("pt", "pl");

	@Test
	void theEmbeddedServerAnswersAsTheRecordSays() throws Exception {
		Map<String, String> expected = record(ANSWERS);
		expected.putAll(record(DIFFERENCES));
		assertThat(differences(expected, answersOfEmbedded())).isEmpty();
	}

	@Test
	void noDifferenceIsAllowedThatIsNone() throws Exception {
		Map<String, String> answers = record(ANSWERS);
		assertThat(record(DIFFERENCES))
			.allSatisfy((name, answer) -> assertThat(answers).containsKey(name).doesNotContainEntry(name, answer));
		assertThat(WireScript.steps()).extracting(WireRequest::name).doesNotHaveDuplicates();
	}

	@Test
	@EnabledIfSystemProperty(named = "reflector.it.kubeconfig", matches = ".+",
			disabledReason = "no real API server: name one with -Dreflector.it.kubeconfig=<file>")
	void aRealServerAnswersAsTheRecordSays() throws Exception {
		Map<String, String> actual = answersOfReal();
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

	private static Map<String, String> answersOfEmbedded() throws Exception {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("wire.example.com/v1", "Part", "parts", true, "pt")
			.type("wire.example.com/v1", "Plan", "plans", false, "pl")
			.start()) {
			server.compact();
			return play(new WireClient(new ApiServer(server.url(), null, TokenSource.none(), "embedded")));
		}
	}

	private static Map<String, String> answersOfReal() throws Exception {
		WireClient client = new WireClient(
				Kubeconfig.load(Path.of(System.getProperty("reflector.it.kubeconfig")), null));
		for (String definition : List.of(DEFINITION, CLUSTER_SCOPED)) {
			remove(client, definition);
			WireRequest create = WireRequest.send("define", "POST", DEFINITIONS, "application/json", definition);
			assertThat(client.sendNow(create).statusCode()).isEqualTo(201);
		}
		try {
			for (String collection : List.of(WireRequest.PARTS, WireRequest.PLANS)) {
				await().atMost(Duration.ofSeconds(60))
					.until(() -> client.sendNow(WireRequest.get("served?", collection)).statusCode() == 200);
			}
			return play(client);
		}
		finally {
			remove(client, DEFINITION);
			remove(client, CLUSTER_SCOPED);
		}
	}

	private static void remove(WireClient client, String definition) throws Exception {
		String name = definition.replaceAll("(?s).*\"metadata\":\\{\"name\":\"([a-z.]+)\".*", "$1");
		String path = DEFINITIONS + "/" + name;
		client.sendNow(WireRequest.delete("undefine", path, null));
		await().atMost(Duration.ofSeconds(60))
			.until(() -> client.sendNow(WireRequest.get("defined?", path)).statusCode() == 404);
	}

	private static Map<String, String> play(WireClient client) throws Exception {
		Map<String, String> answers = new LinkedHashMap<>();
		client.play(WireScript.steps()).forEach((name, answer) -> answers.put(name, answer.toString()));
		return answers;
	}

	/** Entries of a name, comments that say why, and the answer. */
	private static Map<String, String> record(String file) throws IOException {
		try (InputStream in = WireComparisonTests.class.getResourceAsStream(file)) {
			assertThat(in).as(file).isNotNull();
			Map<String, String> record = new LinkedHashMap<>();
			for (String entry : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("(?m)^## ")) {
				int end = entry.indexOf('\n');
				if (end > 0) {
					record.put(entry.substring(0, end),
							entry.substring(end + 1).replaceAll("(?m)^# .*\n", "").stripTrailing() + "\n");
				}
			}
			return record;
		}
	}

	private static String differences(Map<String, String> expected, Map<String, String> actual) {
		StringBuilder report = new StringBuilder();
		actual.forEach((name, answer) -> {
			String wanted = expected.getOrDefault(name, "(nothing)\n");
			if (!answer.equals(wanted)) {
				report.append('\n').append(name).append('\n');
				append(report, "- ", wanted, answer);
				append(report, "+ ", answer, wanted);
			}
		});
		return report.toString();
	}

	private static void append(StringBuilder report, String mark, String answer, String other) {
		List<String> common = List.of(other.split("\n"));
		answer.lines()
			.filter((line) -> !common.contains(line))
			.forEach((line) -> report.append(mark).append(line).append('\n'));
	}

}
