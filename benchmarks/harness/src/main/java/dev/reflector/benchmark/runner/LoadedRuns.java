package dev.reflector.benchmark.runner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.reflector.benchmark.server.Kind;

/**
 * Measures the cold start of this project and of the best peer: the processor time in
 * several processes of each, in turn, and what one process of each loads and compiles
 * before and after the first object.
 */
final class LoadedRuns {

	/** The scenario with processor time. */
	static final String COLD = "cold";

	/** The windows of time, in order, with their titles. */
	static final Map<String, String> WINDOWS = windows();

	/** Figures that say nothing here. */
	private static final List<String> LEFT_OUT = List.of("moment.", "readable.", "sync.lists", "sync.watches");

	private static final String PAIR = "ours / peer, of each pair";

	private static final List<String> OPTIONS = List.of("-Xms64m", "-Xmx4g", "-XX:+UseG1GC");

	private static final List<Contender> CONTENDERS = List.of(Contender.OURS, Contender.BEST_PEER.with("variant=slim"));

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private final Jvm jvm;

	private final Figures figures;

	private final int count;

	private final int rounds;

	/**
	 * Creates the measurement.
	 * @param jvm starts processes
	 * @param figures takes the results
	 * @param count how many pods are mirrored
	 * @param rounds how many processes of each are measured
	 */
	LoadedRuns(Jvm jvm, Figures figures, int count, int rounds) {
		this.jvm = jvm;
		this.figures = figures;
		this.count = count;
		this.rounds = rounds;
	}

	private static Map<String, String> windows() {
		Map<String, String> windows = new LinkedHashMap<>();
		windows.put("loaded-start", "From the start of the process until mirroring begins");
		windows.put("loaded-first", "From then until the first object is delivered");
		windows.put("loaded-synced", "From then until the last object is delivered");
		return windows;
	}

	void run() {
		try (LoadServerProcess server = new LoadServerProcess(this.jvm, Kind.PODS, this.count, 0)) {
			server.warmUp(OPTIONS, TIMEOUT);
			for (int round = 0; round < this.rounds; round++) {
				pair(server, round % 2 == 1);
			}
			CONTENDERS.forEach((contender) -> logged(contender, server));
		}
	}

	private void pair(LoadServerProcess server, boolean peerFirst) {
		List<Contender> contenders = new ArrayList<>(CONTENDERS);
		if (peerFirst) {
			Collections.reverse(contenders);
		}
		Map<String, Map<String, Double>> runs = new LinkedHashMap<>();
		for (Contender contender : contenders) {
			Map<String, Double> values = run(COLD, contender, server, List.of());
			values.keySet().removeIf((figure) -> LEFT_OUT.stream().anyMatch(figure::startsWith));
			this.figures.add(COLD, contender.name(), values);
			runs.put(contender.name(), values);
		}
		Map<String, Double> ratios = new LinkedHashMap<>();
		for (String figure : List.of("sync.seconds", "sync.cpuSeconds", "process.cpuSeconds")) {
			Double ours = runs.getOrDefault(CONTENDERS.get(0).name(), Map.of()).get(figure);
			Double peer = runs.getOrDefault(CONTENDERS.get(1).name(), Map.of()).get(figure);
			if (ours != null && peer != null && peer > 0) {
				ratios.put(figure, ours / peer);
			}
		}
		this.figures.add(COLD, PAIR, ratios);
	}

	private void logged(Contender contender, LoadServerProcess server) {
		try {
			Path log = Files.createTempFile("benchmark", ".log");
			try {
				Map<String, Double> values = run("loaded", contender, server, List.of(LoadedCode.option(log)));
				if (values.isEmpty()) {
					return;
				}
				Map<String, Long> ends = new LinkedHashMap<>();
				List<String> moments = List.of("moment.began", "moment.firstCall", "moment.lastCall");
				List<String> windows = List.copyOf(WINDOWS.keySet());
				for (int i = 0; i < moments.size(); i++) {
					ends.put(windows.get(i), values.getOrDefault(moments.get(i), 0.0).longValue());
				}
				LoadedCode code = LoadedCode.read(log, ends);
				windows.forEach((window) -> this.figures.add(window, contender.name(), code.figures(window)));
			}
			finally {
				Files.delete(log);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Map<String, Double> run(String scenario, Contender contender, LoadServerProcess server, List<String> more) {
		System.err.println(scenario + ": " + contender.name());
		List<String> options = new ArrayList<>(OPTIONS);
		options.addAll(more);
		Map<String, Double> values = new LinkedHashMap<>(
				this.jvm.run(
						contender, options, List.of("server=" + server.url(), "kind=" + Kind.PODS,
								"count=" + this.count, "timeout=" + TIMEOUT.toSeconds(), "detailed=true"),
						TIMEOUT.plusSeconds(5)));
		if (values.isEmpty()) {
			System.err.println(scenario + ": " + contender.name() + " did not complete");
			this.figures.incomplete(scenario, contender.name());
		}
		return values;
	}

	/** Returns a table of each window, with both clients next to each other. */
	String markdown() {
		StringBuilder text = new StringBuilder();
		WINDOWS.forEach((window, title) -> {
			text.append("## ").append(title).append("\n\nOurs / the peer's, one process each.\n\n| library |");
			for (LoadedCode.Unit unit : LoadedCode.Unit.values()) {
				text.append(' ').append(unit.label()).append(" |");
			}
			text.append("\n| --- |").append(" --- |".repeat(LoadedCode.Unit.values().length)).append('\n');
			groups(window).forEach((group) -> row(text, window, group));
			text.append('\n');
		});
		return text.toString();
	}

	private Set<String> groups(String window) {
		Set<String> measured = new LinkedHashSet<>();
		this.figures.forEach(window, (figure, summaries) -> measured.add(figure.substring(figure.indexOf('/') + 1)));
		Set<String> groups = new LinkedHashSet<>();
		for (CodeGroup group : CodeGroup.values()) {
			if (measured.contains(group.label())) {
				groups.add(group.label());
			}
		}
		groups.add("all");
		return groups;
	}

	private void row(StringBuilder text, String window, String group) {
		text.append("| ").append(group).append(" |");
		for (LoadedCode.Unit unit : LoadedCode.Unit.values()) {
			String figure = LoadedCode.figure(unit, group);
			text.append(' ')
				.append(cell(window, figure, CONTENDERS.get(0)))
				.append(" / ")
				.append(cell(window, figure, CONTENDERS.get(1)))
				.append(" |");
		}
		text.append('\n');
	}

	private String cell(String window, String figure, Contender contender) {
		Double count = this.figures.median(window, figure, contender.name());
		return Integer.toString((count != null) ? count.intValue() : 0);
	}

}
