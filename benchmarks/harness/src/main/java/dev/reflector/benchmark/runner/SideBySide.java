package dev.reflector.benchmark.runner;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.reflector.benchmark.server.Kind;

/**
 * Runs all contenders in turn, round after round, each in a fresh process with the same
 * heap and collector.
 */
final class SideBySide {

	private final Jvm jvm;

	private final Scale scale;

	private final Figures figures;

	private final long begin = System.nanoTime();

	SideBySide(Jvm jvm, Scale scale, Figures figures) {
		this.jvm = jvm;
		this.scale = scale;
		this.figures = figures;
	}

	/**
	 * Runs everything.
	 * @return name of the scenario that the targets are about
	 */
	String run() {
		int count = this.scale.pods().get(0);
		// what needs one run only comes first: the rounds then take what time is left
		retained();
		new SmallestHeap(this.jvm, this.scale, this::log).measure(this.figures);
		variants();
		for (int widgets : this.scale.widgets()) {
			rounds(Kind.WIDGETS, widgets, (this.scale == Scale.FULL) ? this.scale.rounds() : 1, false);
		}
		for (int pods : this.scale.pods().subList(1, this.scale.pods().size())) {
			rounds(Kind.PODS, pods, this.scale.rounds(), false);
		}
		rounds(Kind.PODS, count, this.scale.rounds(), true);
		return scenario(Kind.PODS, count);
	}

	static void profile(Jvm jvm, Path recording) {
		SideBySide runs = new SideBySide(jvm, Scale.SHORT, new Figures());
		int count = 10_000;
		try (LoadServerProcess server = new LoadServerProcess(jvm, Kind.PODS, count, 0)) {
			runs.client("profile", Contender.OURS, server, Kind.PODS, count, "warm:50000,profiled:200000",
					"recording=" + recording);
		}
	}

	private static String scenario(Kind kind, int count) {
		return kind.name().toLowerCase(Locale.ROOT) + "-" + count;
	}

	private void retained() {
		int count = this.scale.retained();
		try (LoadServerProcess server = new LoadServerProcess(this.jvm, Kind.PODS, count, 0)) {
			for (Contender contender : Contender.CLIENTS) {
				client("retained", contender, server, Kind.PODS, count, "retained", "visible=" + count / 10);
			}
		}
	}

	private void variants() {
		int count = Math.min(10_000, this.scale.pods().get(0));
		int rounds = Math.min(this.scale.rounds(), (this.scale == Scale.FULL) ? 5 : 2);
		try (LoadServerProcess server = new LoadServerProcess(this.jvm, Kind.PODS, count, 0)) {
			for (int round = 0; round < rounds; round++) {
				for (Contender contender : List.of(Contender.OURS, Contender.TEN, Contender.INDEXES, Contender.PAGES)) {
					client("variants", contender, server, Kind.PODS, count,
							this.scale.burstPhases(this.scale.otherBurst()), "");
				}
			}
		}
	}

	private void rounds(Kind kind, int count, int most, boolean fill) {
		String scenario = scenario(kind, count);
		List<Contender> contenders = new ArrayList<>(Contender.CLIENTS);
		contenders.add(Contender.DRAIN);
		contenders.add(Contender.BIND);
		contenders.add(Contender.BIND_SKIPPING);
		Map<Contender, Long> took = new HashMap<>();
		try (LoadServerProcess server = new LoadServerProcess(this.jvm, kind, count, 0)) {
			for (int round = 0; round < most; round++) {
				long roundBegin = System.nanoTime();
				for (Contender contender : contenders) {
					long before = System.nanoTime();
					contend(scenario, contender, server, kind, count,
							!fill || isTimeFor(took.getOrDefault(contender, 0L)));
					took.merge(contender, System.nanoTime() - before, Math::max);
				}
				// nobody always runs after the same one
				Collections.rotate(contenders, 1);
				long now = System.nanoTime();
				if (fill && now - this.begin + (now - roundBegin) > this.scale.budget().toNanos()) {
					if (round + 1 >= this.scale.leastRounds()) {
						return;
					}
					// what is far off need not be known that well
					contenders.removeIf((contender) -> contender.group() == Contender.Group.OWN);
				}
			}
		}
	}

	/**
	 * Of those that take much longer than others, one whole run has to do when time is
	 * short.
	 * @param nanos how long the longest run has taken
	 * @return whether there is to be another
	 */
	private boolean isTimeFor(long nanos) {
		long budget = this.scale.budget().toNanos();
		return nanos < budget / 10 || System.nanoTime() - this.begin + nanos < budget;
	}

	/** With little time, a client only synchronises. */
	private void contend(String scenario, Contender contender, LoadServerProcess server, Kind kind, int count,
			boolean time) {
		boolean all = kind == Kind.PODS || this.scale == Scale.FULL;
		int burst = all ? this.scale.burst() : this.scale.otherBurst();
		String events = Integer.toString(burst);
		if (contender == Contender.DRAIN) {
			run(scenario, contender, count, List.of(server.url(), kind.name(), events));
		}
		else if (contender.group() == Contender.Group.FLOOR) {
			List<String> arguments = new ArrayList<>(List.of(kind.name(), Integer.toString(count), events));
			arguments.addAll(contender.arguments());
			run(scenario, contender, count, arguments);
		}
		else {
			String phases = all ? this.scale.phases() : this.scale.burstPhases(burst);
			client(scenario, contender, server, kind, count, time ? phases : "", "");
		}
	}

	private void client(String scenario, Contender contender, LoadServerProcess server, Kind kind, int count,
			String phases, String more) {
		List<String> arguments = new ArrayList<>(List.of("server=" + server.url(), "kind=" + kind.name(),
				"count=" + count, "phases=" + phases, "timeout=" + this.scale.timeout().toSeconds(), more));
		arguments.addAll(contender.arguments());
		run(scenario, contender, count, arguments);
	}

	private void run(String scenario, Contender contender, int count, List<String> arguments) {
		log(scenario + ": " + contender.name());
		List<String> options = List.of("-Xms64m", "-Xmx" + ((count > 50_000) ? 6 : 4) + "g", "-XX:+UseG1GC");
		Map<String, Double> values = this.jvm.run(
				this.jvm.command(options, this.jvm.classPath(contender.module()), contender.mainClass(), arguments),
				this.scale.timeout().plusSeconds(5));
		if (values.isEmpty()) {
			log(scenario + ": " + contender.name() + " did not complete");
		}
		this.figures.add(scenario, contender.name(), values);
	}

	private void log(String message) {
		System.err.println("[" + (System.nanoTime() - this.begin) / 1_000_000_000L + " s] " + message);
	}

}
