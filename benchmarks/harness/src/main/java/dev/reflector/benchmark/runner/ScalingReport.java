package dev.reflector.benchmark.runner;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The results of several replicas as JSON and as Markdown: what each replica takes,
 * divided by what one takes that is alone.
 */
final class ScalingReport {

	private static final String ALONE = ScalingRuns.name(Division.EVERYTHING, 1);

	private static final String NOTE = """
			%d cores, %d GiB, %s, Java %s; %d objects, %d changes, scale: %s. Server, replicas and what counts the bytes \
			share the processors. The load average of the machine was %.1f before, and %.1f at the end: what is more than 1 before \
			comes from other programs.

			Of each replica: what it takes, divided by what one takes that is alone and has everything, measured in the \
			same run. Medians over replicas and rounds, and in brackets least and most. The last two columns are what \
			all replicas together tell of each object at the start, and of each change.

			""";

	private final Figures figures;

	private final Scaling.Extent extent;

	private final double before;

	private final double after;

	private final Machine machine = Machine.here();

	/**
	 * Creates a report.
	 * @param figures what was measured
	 * @param extent how much was measured
	 * @param before the load of the machine before
	 * @param after the load at the end
	 */
	ScalingReport(Figures figures, Scaling.Extent extent, double before, double after) {
		this.figures = figures;
		this.extent = extent;
		this.before = before;
		this.after = after;
	}

	String json() {
		Map<String, Object> root = new LinkedHashMap<>();
		root.put("scale", this.extent.name());
		root.put("machine", Map.of("cores", this.machine.cores(), "memoryGiB", this.machine.gibibytes(), "system",
				this.machine.system(), "jdk", this.machine.jdk()));
		root.put("loadAverage", Map.of("before", this.before, "after", this.after));
		root.put("objects", this.extent.objects());
		root.put("changes", this.extent.changes());
		root.put("incomplete", this.figures.incomplete());
		Map<String, Object> scenarios = new LinkedHashMap<>();
		for (String scenario : this.figures.scenarios()) {
			Map<String, Object> byFigure = new LinkedHashMap<>();
			this.figures.forEach(scenario, (figure, summaries) -> byFigure.put(figure, values(summaries)));
			scenarios.put(scenario, byFigure);
		}
		root.put("figures", scenarios);
		return Json.of(root);
	}

	private static Map<String, Object> values(Map<String, Figures.Summary> summaries) {
		Map<String, Object> values = new LinkedHashMap<>();
		summaries.forEach((contender, summary) -> {
			Map<String, Object> each = new LinkedHashMap<>();
			each.put("median", summary.median());
			each.put("min", summary.least());
			each.put("max", summary.most());
			each.put("runs", summary.runs());
			values.put(contender, each);
		});
		return values;
	}

	String markdown() {
		StringBuilder text = new StringBuilder(String.format(Locale.ROOT, NOTE, this.machine.cores(),
				this.machine.gibibytes(), this.machine.system(), this.machine.jdk(), this.extent.objects(),
				this.extent.changes(), this.extent.name(), this.before, this.after));
		if (!this.figures.incomplete().isEmpty()) {
			text.append("Runs that did not complete: ")
				.append(String.join("; ", this.figures.incomplete()))
				.append(".\n\n");
		}
		for (String scenario : this.figures.scenarios()) {
			Map<String, Map<String, Figures.Summary>> figures = new LinkedHashMap<>();
			this.figures.forEach(scenario, figures::put);
			text.append("## ").append(scenario).append("\n\n");
			if (figures.containsKey("withoutOwner.most")) {
				takeOver(text, figures);
			}
			else {
				replicas(text, figures);
				server(text, figures);
			}
		}
		return text.toString();
	}

	private void replicas(StringBuilder text, Map<String, Map<String, Figures.Summary>> figures) {
		text.append("| each replica | who filters | bytes at the start | bytes of changes | CPU at the start "
				+ "| CPU of changes | heap | objects | starts told | changes told |\n|" + " --- |".repeat(10) + "\n");
		for (String contender : contenders(figures)) {
			if (!contender.endsWith(ScalingRuns.SERVER)) {
				text.append("| ").append(contender).append(" | ").append(whoFilters(figures, contender));
				for (String figure : List.of("initial.receivedBytes", "changes.receivedBytes", "initial.cpuSeconds",
						"changes.cpuSeconds", "retained.bytes", "objects")) {
					text.append(" | ").append(ratio(figures, figure, contender, ALONE));
				}
				text.append(" | ")
					.append(spread(summary(figures, "told.additions", contender + ScalingRuns.SERVER),
							this.extent.objects()))
					.append(" | ")
					.append(spread(summary(figures, "told.updates", contender + ScalingRuns.SERVER),
							this.extent.changes()))
					.append(" |\n");
			}
		}
		text.append('\n');
	}

	private static String whoFilters(Map<String, Map<String, Figures.Summary>> figures, String contender) {
		double here = summary(figures, "filtered.here", contender).median();
		if (Double.isNaN(here)) {
			return "nobody";
		}
		return (here > 0) ? "the replica" : "the server";
	}

	private static void server(StringBuilder text, Map<String, Map<String, Figures.Summary>> figures) {
		text.append("| the server | sent at the start | sent for changes | CPU at the start | CPU of changes "
				+ "| open watches | requests for Leases in a second |\n|" + " --- |".repeat(7) + "\n");
		for (String contender : contenders(figures)) {
			if (contender.endsWith(ScalingRuns.SERVER)) {
				text.append("| ").append(contender, 0, contender.length() - ScalingRuns.SERVER.length());
				for (String figure : List.of("initial.sentBytes", "changes.sentBytes", "initial.serverCpuSeconds",
						"changes.serverCpuSeconds")) {
					text.append(" | ").append(ratio(figures, figure, contender, ALONE + ScalingRuns.SERVER));
				}
				for (String figure : List.of("openWatches", "rest.leaseRequestsPerSecond")) {
					text.append(" | ");
					if (figures.containsKey(figure)) {
						text.append(String.format(Locale.ROOT, "%.3g", summary(figures, figure, contender).median()));
					}
				}
				text.append(" |\n");
			}
		}
		text.append('\n');
	}

	private static void takeOver(StringBuilder text, Map<String, Map<String, Figures.Summary>> figures) {
		text.append("Seconds, of the slots that move; medians over rounds, and in brackets least and most.\n\n"
				+ "| a replica | slots | a slot has no owner | the slot that waits longest | until its objects are told "
				+ "| all slots told, since it began | rounds |\n|" + " --- |".repeat(7) + "\n");
		for (String contender : contenders(figures)) {
			text.append("| ").append(contender);
			for (String figure : List.of("slots", "withoutOwner.median", "withoutOwner.most", "untilTold.most",
					"all")) {
				Figures.Summary summary = summary(figures, figure, contender);
				text.append(" | ").append(spread(summary, 1));
			}
			text.append(" | ").append(summary(figures, "all", contender).runs()).append(" |\n");
		}
		text.append('\n');
	}

	private static Set<String> contenders(Map<String, Map<String, Figures.Summary>> figures) {
		Set<String> contenders = new LinkedHashSet<>();
		figures.values().forEach((summaries) -> contenders.addAll(summaries.keySet()));
		return contenders;
	}

	private static Figures.Summary summary(Map<String, Map<String, Figures.Summary>> figures, String figure,
			String contender) {
		return figures.getOrDefault(figure, Map.of())
			.getOrDefault(contender, new Figures.Summary(Double.NaN, Double.NaN, Double.NaN, 0));
	}

	private static String ratio(Map<String, Map<String, Figures.Summary>> figures, String figure, String contender,
			String alone) {
		return spread(summary(figures, figure, contender), summary(figures, figure, alone).median());
	}

	private static String spread(Figures.Summary summary, double by) {
		if (Double.isNaN(summary.median() / by)) {
			return "";
		}
		String median = String.format(Locale.ROOT, "%.2f", summary.median() / by);
		return (summary.least() == summary.most()) ? median
				: String.format(Locale.ROOT, "%s [%.2f, %.2f]", median, summary.least() / by, summary.most() / by);
	}

}
