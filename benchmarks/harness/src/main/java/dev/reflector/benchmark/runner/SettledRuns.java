package dev.reflector.benchmark.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.benchmark.server.Kind;

/**
 * Measures what a service uses that has run for minutes, next to its cold start. This
 * project and the best peer receive changes at a steady rate after the bursts, and the
 * last minute of each rate counts. Each scenario changes one thing: the record or the
 * heap. The first part of each steady rate shows the warm-up.
 */
final class SettledRuns {

	// before the scenarios, which contain them
	private static final List<String> SMALL_HEAP = List.of("-Xms64m", "-Xmx4g", "-XX:+UseG1GC");

	private static final List<String> DEFAULT_FLAGS = List.of("-Xmx4g");

	/** Scenarios, and what each changes. */
	static final Map<String, Setup> SCENARIOS = scenarios();

	/**
	 * The scenarios that also have the steady rates.
	 */
	static final List<String> WHOLE = List.of("settled", "settled-metadata");

	/** The scenario that runs in each round. */
	static final String EACH_ROUND = WHOLE.get(0);

	/**
	 * The number of rounds of the scenarios that only show the cause of a difference.
	 */
	private static final int FEW = 2;

	/** How long the lower rate lasts, unless a run must be shorter. */
	static final int SECONDS = 180;

	/** The shortest that still shows that all parts work. */
	private static final int FEWEST_SECONDS = 3;

	/** About what a process takes to start, to synchronize and to receive the bursts. */
	private static final int SECONDS_OF_BURSTS = 25;

	private static final int SLOW = 1000;

	private static final int FAST = 10_000;

	private final Jvm jvm;

	private final Figures figures;

	private final int count;

	private final int rounds;

	private final Duration timeout;

	private final String bursts;

	private final String steady;

	/**
	 * Creates the measurement.
	 * @param jvm starts processes
	 * @param figures takes the results
	 * @param count how many pods are mirrored
	 * @param rounds how often each runs
	 * @param seconds how long the lower rate lasts; the higher one lasts two thirds of
	 * it, and a third of it counts of each
	 */
	SettledRuns(Jvm jvm, Figures figures, int count, int rounds, int seconds) {
		this.jvm = jvm;
		this.figures = figures;
		this.count = count;
		this.rounds = rounds;
		int last = Math.max(1, seconds / 3);
		this.bursts = "relist,warm:" + count / 2 + ",burst:" + count * 4;
		this.steady = ",steady:" + seconds + ":" + SLOW + ":" + last + ",steady:" + 2 * last + ":" + FAST + ":" + last;
		this.timeout = Duration.ofSeconds(180 + 2L * seconds);
	}

	private static Map<String, Setup> scenarios() {
		Map<String, Setup> scenarios = new LinkedHashMap<>();
		scenarios.put("settled", new Setup("slim", "plain", SMALL_HEAP, true));
		scenarios.put("settled-metadata", new Setup("metadata", "metadata", SMALL_HEAP, true));
		scenarios.put("heap", new Setup("slim", "plain", DEFAULT_FLAGS, false));
		scenarios.put("heap-metadata", new Setup("metadata", "metadata", DEFAULT_FLAGS, false));
		return scenarios;
	}

	/**
	 * Returns how long the lower rate may last.
	 * @param rounds the number of rounds
	 * @param minutes the number of minutes in which all rounds must end
	 * @return seconds, at most {@link #SECONDS}
	 */
	static int seconds(int rounds, int minutes) {
		int few = Math.min(FEW, rounds);
		int processes = 2 * (rounds + few * (SCENARIOS.size() - 1));
		int whole = 2 * (rounds + few * (WHOLE.size() - 1));
		int bursts = processes * SECONDS_OF_BURSTS;
		// both rates together last 5/3 of the lower one
		int seconds = (minutes * 60 - bursts) / whole * 3 / 5;
		if (seconds < FEWEST_SECONDS) {
			int least = (bursts + whole * 2 * FEWEST_SECONDS) / 60 + 1;
			throw new IllegalArgumentException(rounds + " rounds need " + least + " minutes or more, not " + minutes);
		}
		return Math.min(SECONDS, seconds);
	}

	void run() {
		try (LoadServerProcess server = new LoadServerProcess(this.jvm, Kind.PODS, this.count, 0)) {
			for (int round = 0; round < this.rounds; round++) {
				boolean odd = round % 2 == 1;
				boolean all = round < FEW;
				SCENARIOS.forEach((scenario, setup) -> {
					if (!all && !scenario.equals(EACH_ROUND)) {
						return;
					}
					List<Contender> contenders = new ArrayList<>(List.of(ours(setup), peer(setup)));
					if (odd) {
						// neither is always the one that comes after the other
						Collections.reverse(contenders);
					}
					contenders.forEach((contender) -> run(scenario, setup, contender, server));
				});
			}
		}
	}

	private static Contender ours(Setup setup) {
		return Contender.OURS.with("variant=" + setup.ours());
	}

	private static Contender peer(Setup setup) {
		return Contender.BEST_PEER.with("variant=" + setup.peer());
	}

	private void run(String scenario, Setup setup, Contender contender, LoadServerProcess server) {
		System.err.println(scenario + ": " + contender.name());
		Map<String, Double> values = this.jvm.run(contender, setup.options(),
				List.of("server=" + server.url(), "kind=" + Kind.PODS, "count=" + this.count,
						"phases=" + this.bursts + (setup.steady() ? this.steady : ""),
						"timeout=" + this.timeout.toSeconds()),
				this.timeout.plusSeconds(5));
		if (values.isEmpty()) {
			System.err.println(scenario + ": " + contender.name() + " did not complete");
			this.figures.incomplete(scenario, contender.name());
		}
		this.figures.add(scenario, contender.name(), values);
	}

	/**
	 * The settings of a scenario.
	 *
	 * @param peer the type of the peer
	 * @param ours this project's type with the same fields
	 * @param options the options of the JVM
	 * @param steady whether changes at a steady rate follow the bursts
	 */
	record Setup(String peer, String ours, List<String> options, boolean steady) {
	}

}
