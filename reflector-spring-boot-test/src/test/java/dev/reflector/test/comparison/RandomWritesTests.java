package dev.reflector.test.comparison;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;

import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that random writes have the same answers from the embedded server and a real one:
 * the same objects, with the same managers. Needs a real server
 * ({@code -Dreflector.it.kubeconfig=FILE}); {@code -Dtests.histories=500} plays 500
 * histories, {@code -Dtests.seed=17} begins with that seed.
 */
class RandomWritesTests {

	private static final int WRITES = 12;

	private static final Map<String, String> APPLY = Map.of("Content-Type", "application/apply-patch+yaml");

	@Test
	@EnabledIfSystemProperty(named = WriteComparisonTests.KUBECONFIG, matches = ".+",
			disabledReason = "no real API server: name one with -Dreflector.it.kubeconfig=<file>")
	void randomWritesHaveTheSameAnswers() {
		int histories = Integer.getInteger("tests.histories", 20);
		int first = Integer.getInteger("tests.seed", 0);
		String definition = WriteComparisonTests.definition();
		WritePlayer real = WritePlayer.toReal(Path.of(System.getProperty(WriteComparisonTests.KUBECONFIG)), definition);
		List<String> differences = new ArrayList<>();
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.definition(definition)
			.garbageCollection(false)
			.start()) {
			WritePlayer embedded = WritePlayer.to(server);
			for (int seed = first; seed < first + histories; seed++) {
				compare(seed, embedded, real, differences);
			}
		}
		assertThat(differences).isEmpty();
	}

	/** Stops at the first difference, after which others follow. */
	private static void compare(int seed, WritePlayer embedded, WritePlayer real, List<String> differences) {
		StringBuilder history = new StringBuilder();
		for (ScriptedWrite write : history(seed)) {
			history.append("\n  ")
				.append(write.method())
				.append(' ')
				.append(write.path())
				.append(' ')
				.append(write.body());
			String expected = real.play(write).toString();
			String actual = embedded.play(write).toString();
			if (!actual.equals(expected)) {
				differences
					.add("seed " + seed + ":" + history + "\n  expected: " + expected + "\n  actual:   " + actual);
				return;
			}
		}
	}

	private static List<ScriptedWrite> history(int seed) {
		Random random = new Random(seed);
		List<ScriptedWrite> writes = new ArrayList<>();
		String name = "r" + seed;
		for (int i = 0; i < WRITES; i++) {
			writes.add(write(random, seed + "/" + i, name));
		}
		return writes;
	}

	private static ScriptedWrite write(Random random, String step, String name) {
		String manager = pick(random, "one", "two", "three");
		String force = random.nextInt(3) == 0 ? "&force=true" : "";
		String object = "\"apiVersion\":\"t.example.com/v1\",\"kind\":\"Gadget\",\"metadata\":{\"name\":\"" + name
				+ "\"" + metadata(random) + "}";
		return switch (random.nextInt(12)) {
			case 0 -> new ScriptedWrite(step, "POST", "?fieldManager=" + manager, json("json"),
					"{" + object + ",\"spec\":" + spec(random) + "}");
			case 1, 2 -> new ScriptedWrite(step, "PATCH", "/" + name + "?fieldManager=" + manager,
					json("merge-patch+json"), "{\"spec\":" + spec(random) + "}");
			case 3 -> new ScriptedWrite(step, "PATCH", "/" + name + "/status?fieldManager=" + manager + force, APPLY,
					"{" + object + ",\"status\":" + status(random) + "}");
			case 4 -> new ScriptedWrite(step, "PATCH", "/" + name + "/status?fieldManager=" + manager,
					json("merge-patch+json"), "{\"status\":" + status(random) + "}");
			case 5 -> random.nextInt(3) == 0 ? new ScriptedWrite(step, "DELETE", "/" + name, Map.of(), "")
					: new ScriptedWrite(step, "GET", "/" + name, Map.of(), "");
			default -> new ScriptedWrite(step, "PATCH", "/" + name + "?fieldManager=" + manager + force, APPLY,
					"{" + object + ",\"spec\":" + spec(random) + "}");
		};
	}

	private static Map<String, String> json(String type) {
		return Map.of("Content-Type", "application/" + type);
	}

	private static String metadata(Random random) {
		return switch (random.nextInt(5)) {
			case 0 -> ",\"labels\":{\"l" + random.nextInt(3) + "\":\"" + random.nextInt(2) + "\"}";
			case 1 -> ",\"annotations\":{\"a" + random.nextInt(3) + "\":\"" + random.nextInt(2) + "\"}";
			case 2 -> ",\"finalizers\":[\"x.io/f" + random.nextInt(2) + "\"]";
			default -> "";
		};
	}

	private static String spec(Random random) {
		StringJoiner fields = new StringJoiner(",", "{", "}");
		if (random.nextBoolean()) {
			fields.add("\"size\":" + random.nextInt(3));
		}
		if (random.nextInt(3) == 0) {
			fields.add("\"name\":\"n" + random.nextInt(2) + "\"");
		}
		if (random.nextInt(2) == 0) {
			fields.add("\"tags\":" + some(random, "\"x\"", "\"y\"", "\"z\""));
		}
		if (random.nextInt(2) == 0) {
			fields.add("\"parts\":" + some(random, part(random, "p"), part(random, "q"), part(random, "r")));
		}
		if (random.nextInt(3) == 0) {
			fields.add("\"ports\":" + some(random, "{\"port\":1}", "{\"port\":1,\"protocol\":\"UDP\"}",
					"{\"port\":2,\"name\":\"n" + random.nextInt(2) + "\"}"));
		}
		if (random.nextInt(3) == 0) {
			fields.add("\"args\":" + some(random, "\"1\"", "\"2\"", "\"1\""));
		}
		if (random.nextInt(3) == 0) {
			fields.add("\"whole\":{\"" + pick(random, "a", "b") + "\":\"" + random.nextInt(2) + "\"}");
		}
		if (random.nextInt(3) == 0) {
			fields.add("\"limits\":{\"k" + random.nextInt(3) + "\":\"" + random.nextInt(2) + "\"}");
		}
		if (random.nextInt(3) == 0) {
			fields.add("\"inner\":{\"" + pick(random, "x", "y") + "\":" + random.nextInt(2) + "}");
		}
		if (random.nextInt(3) == 0) {
			fields
				.add("\"free\":" + pick(random, "{\"a\":1}", "{\"a\":{\"b\":1}}", "{\"a\":{\"c\":[1]}}", "{\"d\":[]}"));
		}
		return fields.toString();
	}

	private static String part(Random random, String name) {
		return "{\"name\":\"" + name + "\"" + (random.nextBoolean() ? ",\"count\":" + random.nextInt(2) : "")
				+ (random.nextInt(3) == 0 ? ",\"opts\":[\"o" + random.nextInt(2) + "\"]" : "") + "}";
	}

	private static String status(Random random) {
		String condition = "{\"type\":\"" + pick(random, "R", "S") + "\",\"status\":\"" + pick(random, "T", "F")
				+ "\"}";
		return pick(random, "{\"phase\":\"up\"}", "{\"phase\":\"down\"}", "{\"conditions\":[" + condition + "]}",
				"{\"phase\":\"up\",\"conditions\":[" + condition + "]}");
	}

	/** Some of these, in any order, each at most once unless it is given twice. */
	private static String some(Random random, String... elements) {
		List<String> chosen = new ArrayList<>();
		for (String element : elements) {
			if (random.nextBoolean()) {
				chosen.add(random.nextInt(chosen.size() + 1), element);
			}
		}
		return chosen.isEmpty() ? "[" + elements[0] + "]" : chosen.toString();
	}

	private static String pick(Random random, String... values) {
		return values[random.nextInt(values.length)];
	}

}
