package dev.reflector.benchmark.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import dev.reflector.benchmark.server.Kind;

import org.jspecify.annotations.Nullable;

/**
 * Whether time and memory for each object stay the same when there are a hundred times as
 * many: objects of 1 KB, this project, and the peer that is best with few.
 */
final class GrowthRuns {

	/** Numbers of objects, the least first: others are compared with it. */
	static final List<Integer> COUNTS = List.of(10_000, 100_000, 1_000_000);

	private static final Duration TIMEOUT = Duration.ofMinutes(5);

	/** Of the objects that are counted for memory, so many are there before. */
	private static final int PART = 10;

	private static final List<Contender> CONTENDERS = Contender.CLIENTS.stream()
		.filter((contender) -> contender == Contender.OURS
				|| (contender.group() == Contender.Group.SLIM && contender.module().equals("official")))
		.toList();

	private final Jvm jvm;

	private final Figures figures;

	private final List<Integer> counts;

	private final int rounds;

	GrowthRuns(Jvm jvm, Figures figures, List<Integer> counts, int rounds) {
		this.jvm = jvm;
		this.figures = figures;
		this.counts = counts;
		this.rounds = rounds;
	}

	void run() {
		for (int count : this.counts) {
			try (LoadServerProcess server = new LoadServerProcess(this.jvm, Kind.WIDGETS, count, 0)) {
				for (int round = 0; round < this.rounds; round++) {
					for (Contender contender : CONTENDERS) {
						run(contender, server, count, "phases=relist", count);
						run(contender, server, count, "phases=retained", count / PART);
					}
				}
			}
		}
	}

	private static String scenario(int count) {
		return "growth-" + count;
	}

	private void run(Contender contender, LoadServerProcess server, int count, String phases, int visible) {
		System.err.println(scenario(count) + ": " + contender.name() + ", " + phases);
		Map<String, Double> values = new LinkedHashMap<>(this.jvm.run(contender,
				List.of("-Xms64m", "-Xmx8g", "-XX:+UseG1GC"), List.of("server=" + server.url(), "kind=" + Kind.WIDGETS,
						"count=" + count, phases, "visible=" + visible, "timeout=" + TIMEOUT.toSeconds()),
				TIMEOUT.plusSeconds(5)));
		if (values.isEmpty()) {
			this.figures.incomplete(scenario(count), contender.name());
		}
		if (visible < count) {
			// a tenth of the objects were there when it started
			values.keySet().removeIf((figure) -> !figure.startsWith("retained."));
		}
		this.figures.add(scenario(count), contender.name(), values);
	}

	/** A table and a chart of what each object takes, relative to the least number. */
	String markdown() {
		StringBuilder text = new StringBuilder("## For each object\n\nRelative to ");
		text.append(grouped(this.counts.get(0))).append(" objects: 1 is linear growth.\n\n| figure | client");
		this.counts.forEach((count) -> text.append(" | ").append(grouped(count)));
		text.append(" |\n| --- | --- |").append(" --- |".repeat(this.counts.size())).append('\n');
		for (String figure : List.of("sync.seconds", "sync.cpuSeconds", "relist.seconds", "retained.bytesPerObject")) {
			for (Contender contender : CONTENDERS) {
				text.append("| ").append(figure).append(" | ").append(contender.name());
				growth(figure, contender)
					.forEach((value) -> text.append(" | ").append((value != null) ? Json.number(value) : "none"));
				text.append(" |\n");
			}
		}
		text.append("\n```mermaid\nxychart-beta\n  title \"Time and memory for each object, relative to ")
			.append(grouped(this.counts.get(0)))
			.append(" objects\"\n  x-axis [")
			.append(String.join(", ", this.counts.stream().map((count) -> '"' + grouped(count) + '"').toList()))
			.append("]\n  y-axis \"relative\" 0 --> 2\n");
		for (String figure : List.of("sync.seconds", "relist.seconds", "retained.bytesPerObject")) {
			text.append("  line [")
				.append(String.join(", ",
						growth(figure, Contender.OURS).stream().filter(Objects::nonNull).map(Json::number).toList()))
				.append("]\n");
		}
		return text.append("```\n\nThe lines are `sync.seconds`, `relist.seconds` and `retained.bytesPerObject` of ")
			.append(Contender.OURS.name())
			.append(".\n\n")
			.toString();
	}

	private List<@Nullable Double> growth(String figure, Contender contender) {
		List<@Nullable Double> growth = new ArrayList<>();
		Double first = forEachObject(this.counts.get(0), figure, contender);
		for (int count : this.counts) {
			Double value = forEachObject(count, figure, contender);
			growth.add((first != null && value != null) ? Double.valueOf(value / first) : null);
		}
		return growth;
	}

	private @Nullable Double forEachObject(int count, String figure, Contender contender) {
		Double median = this.figures.median(scenario(count), figure, contender.name());
		if (median == null || figure.endsWith("PerObject")) {
			return median;
		}
		return median / count;
	}

	private static String grouped(int count) {
		return String.format(Locale.ROOT, "%,d", count);
	}

}
