package dev.reflector.benchmark.runner;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The results as JSON and as Markdown.
 */
final class Report {

	private static final double MEGABYTE = 1024 * 1024;

	private static final double MAX_ADDED_HEAP = 10;

	/**
	 * Groups that are compared in several scenarios. The table has the names of ratios,
	 * since these identify the scenario.
	 */
	private static final Set<Contender.Group> IN_SCENARIOS = Set.of(Contender.Group.ABSENT, Contender.Group.JSON,
			Contender.Group.NEAREST);

	private final Figures figures;

	private final List<Target> targets;

	private final String main;

	private final String scale;

	private final Machine machine = Machine.here();

	/**
	 * Creates a report.
	 * @param figures what was measured
	 * @param main the scenario that most targets are about, empty for none
	 * @param scale name of what was measured
	 */
	Report(Figures figures, String main, String scale) {
		this.figures = figures;
		this.targets = new ArrayList<>();
		if (figures.scenarios().contains(Startup.scenario(Startup.KINDS.get(0)))) {
			this.targets.addAll(Target.startup());
		}
		if (figures.scenarios().contains(DurableRuns.SCENARIO)) {
			this.targets.addAll(Target.durable());
		}
		if (figures.scenarios().containsAll(FormatRuns.SCENARIOS.keySet())) {
			this.targets.addAll(Target.formats());
		}
		if (figures.scenarios().containsAll(SettledRuns.SCENARIOS.keySet())) {
			this.targets.addAll(Target.settled());
		}
		if (figures.scenarios().contains(LoadedRuns.COLD)) {
			this.targets.addAll(Target.cold());
		}
		if (!main.isEmpty()) {
			this.targets.addAll(Target.all(main));
		}
		this.main = main;
		this.scale = scale;
	}

	String json() {
		Map<String, Object> root = new LinkedHashMap<>();
		root.put("scale", this.scale);
		root.put("machine", Map.of("cores", this.machine.cores(), "memoryGiB", this.machine.gibibytes(), "system",
				this.machine.system(), "jdk", this.machine.jdk()));
		Map<String, Object> ratios = new LinkedHashMap<>();
		Map<String, Object> values = new LinkedHashMap<>();
		Map<String, Object> directions = new LinkedHashMap<>();
		Map<String, Object> reached = new LinkedHashMap<>();
		for (Target target : this.targets) {
			Double ratio = target.ratio(this.figures);
			if (ratio != null) {
				ratios.put(target.name(), ratio);
				values.put(target.name(), target.value());
				directions.put(target.name(), target.atLeast() ? "atLeast" : "atMost");
				reached.put(target.name(), target.isReached(ratio));
			}
		}
		root.put("ratios", ratios);
		root.put("targets", values);
		root.put("directions", directions);
		root.put("reached", reached);
		root.put("limits", limits());
		root.put("missing", missing());
		root.put("incomplete", this.figures.incomplete());
		Map<String, Object> scenarios = new LinkedHashMap<>();
		for (String scenario : this.figures.scenarios()) {
			Map<String, Object> byFigure = new LinkedHashMap<>();
			this.figures.forEach(scenario, (figure, summaries) -> byFigure.put(figure, summaries(summaries)));
			scenarios.put(scenario, byFigure);
		}
		root.put("figures", scenarios);
		return Json.of(root);
	}

	/**
	 * Returns contenders that were not measured, by name of the target: the ratio of such
	 * a target says less, or nothing.
	 */
	private Map<String, List<String>> missing() {
		Map<String, List<String>> missing = new LinkedHashMap<>();
		for (Target target : this.targets) {
			List<String> contenders = target.missing(this.figures);
			if (!contenders.isEmpty()) {
				missing.put(target.name(), contenders);
			}
		}
		return missing;
	}

	/** Returns the limits, which must be kept rather than beaten. */
	private Map<String, Map<String, Object>> limits() {
		Map<String, Map<String, Object>> limits = new LinkedHashMap<>();
		Map<String, Double> most = new LinkedHashMap<>();
		most.put("latency10000.p50Millis", 1.0);
		most.put("latency10000.p99Millis", 2.0);
		most.put("relist.spuriousEvents", 0.0);
		most.forEach((figure, value) -> {
			Double ours = this.figures.median(this.main, figure, Contender.OURS.name());
			if (ours != null) {
				limits.put(figure, limit(ours, value));
			}
		});
		for (String kind : Startup.KINDS) {
			Double added = addedHeap(kind);
			if (added != null) {
				limits.put("idle.addedHeapMegabytes/" + kind, limit(added, MAX_ADDED_HEAP));
			}
		}
		return limits;
	}

	private static Map<String, Object> limit(double ours, double most) {
		return Map.of("ours", ours, "atMost", most, "reached", ours <= most);
	}

	private @Nullable Double addedHeap(String kind) {
		Double with = this.figures.median(Startup.scenario(kind), "idle.heapBytes", Startup.WITH);
		Double without = this.figures.median(Startup.scenario(kind), "idle.heapBytes", Startup.WITHOUT);
		return (with != null && without != null) ? Double.valueOf((with - without) / MEGABYTE) : null;
	}

	private static Map<String, Object> summaries(Map<String, Figures.Summary> summaries) {
		Map<String, Object> result = new LinkedHashMap<>();
		summaries.forEach((contender, summary) -> {
			Map<String, Object> values = new LinkedHashMap<>();
			values.put("median", summary.median());
			values.put("min", summary.least());
			values.put("max", summary.most());
			values.put("runs", summary.runs());
			result.put(contender, values);
		});
		return result;
	}

	/**
	 * The results as Markdown.
	 * @param more what comes before the figures
	 * @return the text
	 */
	String markdown(String more) {
		StringBuilder text = new StringBuilder();
		text.append(String.format(Locale.ROOT,
				"%d cores, %d GiB, %s, Java %s; scale: %s. Medians, and in brackets "
						+ "least and most of the runs.%n%n",
				this.machine.cores(), this.machine.gibibytes(), this.machine.system(), this.machine.jdk(), this.scale));
		if (!this.targets.isEmpty()) {
			targets(text);
		}
		if (!this.figures.incomplete().isEmpty()) {
			text.append("Runs that did not complete: ")
				.append(String.join("; ", this.figures.incomplete()))
				.append(".\n\n");
		}
		text.append(more);
		for (String scenario : this.figures.scenarios()) {
			// these have separate tables
			if (!LoadedRuns.WINDOWS.containsKey(scenario) && !SurvivorRuns.SCENARIOS.containsKey(scenario)) {
				scenario(text, scenario);
			}
		}
		return text.toString();
	}

	private void targets(StringBuilder text) {
		text.append("## Ratios\n\nOurs divided by the best of the others, in the same run.\n\n"
				+ "| figure | against | ratio | target | reached |\n| --- | --- | --- | --- | --- |\n");
		for (Target target : this.targets) {
			Double ratio = target.ratio(this.figures);
			text.append(String.format(Locale.ROOT, "| %s | %s | %s | %s %s | %s |%n",
					IN_SCENARIOS.contains(target.against()) ? target.name() : target.figure(),
					against(target.against()), (ratio != null) ? Json.number(ratio) : "none",
					target.atLeast() ? "at least" : "at most", Json.number(target.value()),
					(ratio != null && target.isReached(ratio)) ? "yes" : "no"));
		}
		text.append('\n');
		limits(text);
		missing().forEach((target, contenders) -> text.append(
				String.format(Locale.ROOT, "%s was not measured of: %s.%n%n", target, String.join("; ", contenders))));
		if (this.targets.containsAll(Target.startup())) {
			startup(text);
		}
	}

	private void limits(StringBuilder text) {
		Map<String, Map<String, Object>> limits = limits();
		if (limits.isEmpty()) {
			return;
		}
		text.append(
				"What is asked of our own figures:\n\n| figure | ours | target | reached |\n| --- | --- | --- | --- |\n");
		limits.forEach((figure, limit) -> text.append("| ")
			.append(figure)
			.append(" | ")
			.append(Json.number((Double) limit.get("ours")))
			.append(" | at most ")
			.append(Json.number((Double) limit.get("atMost")))
			.append(Boolean.TRUE.equals(limit.get("reached")) ? " | yes |\n" : " | no |\n"));
		text.append('\n');
	}

	private void startup(StringBuilder text) {
		text.append(
				"The starter adds to an empty application that has the actuator, and the actuator to one without:\n\n"
						+ "| application | start-up time | start-up time with one type | heap when idle | "
						+ "start-up time of the actuator |\n| --- | --- | --- | --- | --- |\n");
		for (Target target : Target.startup()) {
			Double ratio = target.ratio(this.figures);
			String kind = target.scenario().substring(Startup.scenario("").length());
			Double heap = addedHeap(kind);
			Double actuator = this.figures.median(target.scenario(), target.figure(), Startup.WITHOUT);
			Double bare = this.figures.median(target.scenario(), target.figure(), Startup.NO_ACTUATOR);
			Double type = this.figures.median(target.scenario(), target.figure(), Startup.ONE_TYPE);
			if (ratio != null && heap != null && actuator != null && bare != null && type != null) {
				text.append(String.format(Locale.ROOT, "| %s | %.0f %% | %.0f %% | %.1f MB | %.0f %% |%n", kind,
						100 * (ratio - 1), 100 * (type / actuator - 1), heap, 100 * (actuator / bare - 1)));
			}
		}
		text.append('\n');
	}

	private static String against(Contender.Group group) {
		return switch (group) {
			case SLIM -> "same slim type";
			case OWN -> "their own models";
			case ABSENT -> "the same without the starter";
			case UNSTORED -> "the same without a snapshot";
			case COLD -> "a cold list";
			case JSON -> "the same in JSON";
			case NEAREST -> Contender.BEST_PEER.name();
			case WIRE -> "drained";
			default -> "bound from memory";
		};
	}

	private void scenario(StringBuilder text, String scenario) {
		Set<String> contenders = new LinkedHashSet<>();
		List<String> rows = new ArrayList<>();
		this.figures.forEach(scenario, (figure, summaries) -> contenders.addAll(summaries.keySet()));
		this.figures.forEach(scenario, (figure, summaries) -> {
			StringBuilder row = new StringBuilder("| ").append(figure);
			for (String contender : contenders) {
				Figures.Summary summary = summaries.get(contender);
				row.append(" | ").append((summary != null) ? cell(summary) : "");
			}
			rows.add(row.append(" |\n").toString());
		});
		text.append("## ").append(scenario).append("\n\n| figure | ").append(String.join(" | ", contenders));
		text.append(" |\n| --- |").append(" --- |".repeat(contenders.size())).append('\n');
		rows.forEach(text::append);
		text.append('\n');
	}

	private static String cell(Figures.Summary summary) {
		String median = Json.number(summary.median());
		return (summary.runs() == 1) ? median
				: median + " [" + Json.number(summary.least()) + ", " + Json.number(summary.most()) + "]";
	}

}
