package dev.reflector.benchmark.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.benchmark.server.Kind;

/**
 * Measures what the whole process uses for the same Pods in JSON and in protobuf, with a
 * type with few fields and one with whole metadata. A run does not count if any answer
 * had another format, and all mirrors must be equal at the end.
 */
final class FormatRuns {

	/** Scenarios, and which type each has. */
	static final Map<String, String> SCENARIOS = scenarios();

	static final Contender JSON = contender("JSON", "json", "application/json");

	static final Contender PROTOBUF = contender("protobuf", "protobuf", "application/vnd.kubernetes.protobuf");

	private static final String DIGEST = "mirror.digest";

	/** Ten seconds of a steady rate are enough, however many objects there are. */
	private static final int MOST_PACED = 10_000;

	private static final List<String> OPTIONS = List.of("-Xms64m", "-Xmx4g", "-XX:+UseG1GC");

	private static final Duration TIMEOUT = Duration.ofMinutes(3);

	private final Jvm jvm;

	private final Figures figures;

	private final int count;

	private final int rounds;

	/** By scenario, the digest that all mirrors must have at the end. */
	private final Map<String, Double> digests = new LinkedHashMap<>();

	/**
	 * Creates the measurement.
	 * @param jvm starts processes
	 * @param figures takes the results
	 * @param count how many pods are mirrored; bursts have four times as many events
	 * @param rounds how often each runs
	 */
	FormatRuns(Jvm jvm, Figures figures, int count, int rounds) {
		this.jvm = jvm;
		this.figures = figures;
		this.count = count;
		this.rounds = rounds;
	}

	private static Map<String, String> scenarios() {
		Map<String, String> scenarios = new LinkedHashMap<>();
		scenarios.put("formats", "plain");
		scenarios.put("formats-metadata", "metadata");
		return scenarios;
	}

	private static Contender contender(String name, String format, String mediaType) {
		return new Contender(name, "reflector", "dev.reflector.benchmark.reflector.ReflectorClient",
				Contender.Group.VARIANT, List.of("--reflector.api-server.format=" + format, "mediaType=" + mediaType));
	}

	void run() {
		try (LoadServerProcess server = LoadServerProcess.withProtobuf(this.jvm, Kind.PODS, this.count)) {
			server.warmUp(OPTIONS, TIMEOUT);
			for (int round = 0; round < this.rounds; round++) {
				// neither is always the one that comes after the other
				List<Contender> contenders = (round % 2 == 0) ? List.of(JSON, PROTOBUF) : List.of(PROTOBUF, JSON);
				SCENARIOS.forEach((scenario, variant) -> contenders
					.forEach((contender) -> run(scenario, variant, contender, server)));
			}
		}
	}

	private void run(String scenario, String variant, Contender contender, LoadServerProcess server) {
		System.err.println(scenario + ": " + contender.name());
		Map<String, Double> values = new LinkedHashMap<>(this.jvm.run(contender, OPTIONS,
				List.of("server=" + server.url(), "kind=" + Kind.PODS, "count=" + this.count, "phases=" + phases(),
						"timeout=" + TIMEOUT.toSeconds(), "unchanged=true", "variant=" + variant),
				TIMEOUT.plusSeconds(5)));
		Double digest = values.remove(DIGEST);
		if (digest == null) {
			System.err.println(scenario + ": " + contender.name() + " did not complete");
			this.figures.incomplete(scenario, contender.name());
		}
		else if (!digest.equals(this.digests.computeIfAbsent(scenario, (key) -> digest))) {
			throw new IllegalStateException(
					scenario + ": " + contender.name() + " ended with other objects than the runs before");
		}
		this.figures.add(scenario, contender.name(), values);
	}

	private String phases() {
		int events = this.count * 4;
		return "relist,warm:" + this.count / 2 + ",burst:" + events + ",paced:" + Math.min(this.count / 5, MOST_PACED)
				+ ":1000,settled:" + events + ",digest";
	}

}
