package dev.reflector.benchmark.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.reflector.benchmark.server.Kind;

/**
 * Measures the bytes that survive a young collection for each event, by class, at 10,000
 * events a second. An object that replaces another one in the mirror must survive. All
 * other bytes are a loss: the collector copies them, although they are not needed for
 * long. Each survivor moves into the old generation at once, which is never collected, so
 * the histograms of two moments differ by exactly the survivors.
 */
final class SurvivorRuns {

	/** Scenarios, and the variants of this project and of the peer. */
	static final Map<String, List<String>> SCENARIOS = scenarios();

	private static final int RATE = 10_000;

	/** A tenth of the objects is there at first, so that the others can be compared. */
	private static final int PART = 10;

	private static final List<String> OPTIONS = List.of("-Xms3g", "-Xmx3g", "-Xmn64m", "-XX:+UseSerialGC",
			"-XX:MaxTenuringThreshold=0", "-XX:MarkSweepAlwaysCompactCount=1");

	private static final String KEPT = "kept.bytesPerObject/";

	private static final String SURVIVED = "survivors.bytesPerEvent/";

	private static final double LEAST_BYTES = 1;

	private final Jvm jvm;

	private final Figures figures;

	private final int count;

	private final int seconds;

	private final Duration timeout;

	/**
	 * Creates the measurement.
	 * @param jvm starts processes
	 * @param figures takes the results
	 * @param count how many pods are mirrored
	 * @param seconds how long events come at the steady rate
	 */
	SurvivorRuns(Jvm jvm, Figures figures, int count, int seconds) {
		this.jvm = jvm;
		this.figures = figures;
		this.count = count;
		this.seconds = seconds;
		this.timeout = Duration.ofSeconds(90 + 3L * seconds);
	}

	private static Map<String, List<String>> scenarios() {
		Map<String, List<String>> scenarios = new LinkedHashMap<>();
		scenarios.put("survivors", List.of("plain", "slim"));
		scenarios.put("survivors-metadata", List.of("metadata", "metadata"));
		return scenarios;
	}

	private static List<Contender> contenders(List<String> variants) {
		return List.of(Contender.OURS.with("variant=" + variants.get(0)),
				Contender.BEST_PEER.with("variant=" + variants.get(1)));
	}

	void run() {
		try (LoadServerProcess server = new LoadServerProcess(this.jvm, Kind.PODS, this.count, 0)) {
			SCENARIOS.forEach((scenario, variants) -> contenders(variants)
				.forEach((contender) -> run(scenario, contender, server)));
		}
	}

	private void run(String scenario, Contender contender, LoadServerProcess server) {
		System.err.println(scenario + ": " + contender.name());
		Map<String, Double> values = this.jvm.run(contender, OPTIONS,
				List.of("server=" + server.url(), "kind=" + Kind.PODS, "count=" + this.count,
						"visible=" + this.count / PART,
						"phases=kept,warm:" + this.count + ",survivors:" + this.seconds + ":" + RATE,
						"timeout=" + this.timeout.toSeconds()),
				this.timeout.plusSeconds(5));
		if (values.isEmpty()) {
			System.err.println(scenario + ": " + contender.name() + " did not complete");
			this.figures.incomplete(scenario, contender.name());
			return;
		}
		this.figures.add(scenario, contender.name(), figures(values));
	}

	/** The figures, with classes of little weight put together. */
	private static Map<String, Double> figures(Map<String, Double> values) {
		Map<String, Double> figures = new LinkedHashMap<>();
		values.forEach((figure, value) -> {
			if (figure.startsWith("survivors.") && !figure.startsWith(SURVIVED)) {
				figures.put(figure, value);
			}
		});
		for (String prefix : List.of(KEPT, SURVIVED)) {
			values.forEach((figure, value) -> {
				if (figure.startsWith(prefix)) {
					String name = (Math.abs(value) >= LEAST_BYTES) ? figure : prefix + "other classes";
					figures.merge(name, value, Double::sum);
					figures.merge(prefix + "all", value, Double::sum);
				}
			});
		}
		return figures;
	}

	/** Returns a table by class for each contender. */
	String markdown() {
		StringBuilder text = new StringBuilder(
				"| scenario | client | events between two young collections | of these, bytes that survive a collection |\n"
						+ "| --- | --- | --- | --- |\n");
		SCENARIOS.forEach((scenario, variants) -> contenders(variants).forEach((contender) -> {
			double events = median(scenario, "survivors.eventsPerCollection", contender);
			double bytes = median(scenario, SURVIVED + "all", contender);
			text.append(String.format(Locale.ROOT, "| %s | %s | %.0f | %.0f |%n", scenario, contender.name(), events,
					events * bytes));
		}));
		text.append('\n');
		SCENARIOS.forEach((scenario, variants) -> contenders(variants)
			.forEach((contender) -> table(text, scenario, contender.name())));
		return text.toString();
	}

	private double median(String scenario, String figure, Contender contender) {
		Double median = this.figures.median(scenario, figure, contender.name());
		return (median != null) ? median : 0;
	}

	private void table(StringBuilder text, String scenario, String contender) {
		Map<String, Double> kept = byClass(scenario, contender, KEPT);
		Map<String, Double> survived = byClass(scenario, contender, SURVIVED);
		text.append("## ").append(scenario).append(": ").append(contender);
		text.append("\n\n| bytes, by class | kept for an object | survive for an event | loss |\n"
				+ "| --- | --- | --- | --- |\n");
		Set<String> names = new TreeSet<>((left, right) -> {
			int order = Double.compare(most(right, kept, survived), most(left, kept, survived));
			return (order != 0) ? order : left.compareTo(right);
		});
		names.addAll(kept.keySet());
		names.addAll(survived.keySet());
		names.remove("all");
		double loss = 0;
		for (String name : names) {
			double needed = kept.getOrDefault(name, 0.0);
			double bytes = survived.getOrDefault(name, 0.0);
			double lost = Math.max(0, bytes - needed);
			loss += lost;
			row(text, "`" + name + "`", needed, bytes, lost);
		}
		row(text, "all", kept.getOrDefault("all", 0.0), survived.getOrDefault("all", 0.0), loss);
		text.append('\n');
	}

	private static void row(StringBuilder text, String name, double kept, double survived, double loss) {
		text.append("| ").append(name);
		for (double bytes : new double[] { kept, survived, loss }) {
			text.append(" | ").append(Math.round(bytes));
		}
		text.append(" |\n");
	}

	private static double most(String name, Map<String, Double> kept, Map<String, Double> survived) {
		return Math.max(kept.getOrDefault(name, 0.0), survived.getOrDefault(name, 0.0));
	}

	private Map<String, Double> byClass(String scenario, String contender, String prefix) {
		Map<String, Double> bytes = new LinkedHashMap<>();
		this.figures.forEach(scenario, (figure, summaries) -> {
			Figures.Summary summary = summaries.get(contender);
			if (figure.startsWith(prefix) && summary != null) {
				bytes.put(figure.substring(prefix.length()), summary.median());
			}
		});
		return bytes;
	}

}
