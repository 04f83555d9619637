package dev.reflector.benchmark.runner;

import java.time.Duration;
import java.util.List;

/**
 * What the starter costs an application that mirrors nothing: the same empty application
 * with and without it on the class path.
 */
final class Startup {

	private static final String MAIN = "dev.reflector.benchmark.startup.EmptyApplication";

	static final List<String> KINDS = List.of("none", "servlet", "webflux");

	static final String WITH = "with the starter";

	static final String WITHOUT = "without";

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private final Jvm jvm;

	private final Figures figures;

	private final int rounds;

	Startup(Jvm jvm, Figures figures, int rounds) {
		this.jvm = jvm;
		this.figures = figures;
		this.rounds = rounds;
	}

	static String scenario(String kind) {
		return "startup-" + kind;
	}

	void run() {
		for (int round = 0; round < this.rounds; round++) {
			for (String kind : KINDS) {
				String without = this.jvm.classPath("startup-none") + ":" + this.jvm.classPath("startup-" + kind);
				// both have the versions of one Spring Boot: what is there twice is the
				// same
				String with = without + ":" + this.jvm.classPath("reflector");
				// neither is always the one that comes after the other
				if (round % 2 == 0) {
					measure(kind, WITHOUT, without);
					measure(kind, WITH, with);
				}
				else {
					measure(kind, WITH, with);
					measure(kind, WITHOUT, without);
				}
			}
		}
	}

	private void measure(String kind, String contender, String classPath) {
		System.err.println("start-up: " + kind + ", " + contender);
		this.figures.add(scenario(kind), contender, this.jvm
			.run(this.jvm.command(List.of("-Xmx512m", "-XX:+UseG1GC"), classPath, MAIN, List.of()), TIMEOUT));
	}

}
