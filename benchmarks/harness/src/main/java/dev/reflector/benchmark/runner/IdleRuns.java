package dev.reflector.benchmark.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import dev.reflector.benchmark.runner.Contender.Group;
import dev.reflector.benchmark.server.Kind;

/**
 * Measures what many mirrors use in one application while no object changes.
 */
final class IdleRuns {

	static final int MIRRORS = 200;

	private static final int SECONDS = 40;

	private static final Duration TIMEOUT = Duration.ofMinutes(3);

	/** The first release with virtual threads. */
	private static final int VIRTUAL = 21;

	private final Jvm jvm;

	private final Figures figures;

	private final int mirrors;

	private final int seconds;

	private final int rounds;

	IdleRuns(Jvm jvm, Figures figures, int rounds) {
		this(jvm, figures, MIRRORS, SECONDS, rounds);
	}

	IdleRuns(Jvm jvm, Figures figures, int mirrors, int seconds, int rounds) {
		this.jvm = jvm;
		this.figures = figures;
		this.mirrors = mirrors;
		this.seconds = seconds;
		this.rounds = rounds;
	}

	void run() {
		List<Contender> contenders = new ArrayList<>(
				Contender.CLIENTS.stream().filter((contender) -> contender.group() != Group.OWN).toList());
		if (Runtime.version().feature() >= VIRTUAL) {
			contenders.add(Contender.VIRTUAL);
		}
		try (LoadServerProcess server = new LoadServerProcess(this.jvm, Kind.PODS, 1, 0)) {
			for (int round = 0; round < this.rounds; round++) {
				contenders.forEach((contender) -> {
					run(contender, server, this.mirrors);
					run(contender, server, 1);
				});
				Collections.rotate(contenders, 1);
			}
		}
	}

	private void run(Contender contender, LoadServerProcess server, int mirrors) {
		String scenario = "idle-" + mirrors;
		System.err.println(scenario + ": " + contender.name());
		Map<String, Double> values = this.jvm.run(contender, List.of("-Xms64m", "-Xmx1g", "-XX:+UseG1GC"),
				List.of("server=" + server.url(), "mirrors=" + mirrors, "seconds=" + this.seconds), TIMEOUT);
		if (values.isEmpty()) {
			this.figures.incomplete(scenario, contender.name());
		}
		this.figures.add(scenario, contender.name(), values);
	}

}
