package dev.reflector.benchmark.runner;

import java.time.Duration;
import java.util.List;

/**
 * What the starter costs an application that mirrors nothing: the same empty application
 * with and without it on the class path.
 */
final class Startup {

	private static final String MAIN = "dev.reflector.benchmark.startup.EmptyApplication";

	private static final int ROUNDS = 10;

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private final Jvm jvm;

	private final Figures figures;

	Startup(Jvm jvm, Figures figures) {
		this.jvm = jvm;
		this.figures = figures;
	}

	void run() {
		for (int round = 0; round < ROUNDS; round++) {
			for (String kind : List.of("none", "servlet", "webflux")) {
				String without = this.jvm.classPath("startup-none") + ":" + this.jvm.classPath("startup-" + kind);
				measure(kind, "without", without);
				// both have the versions of one Spring Boot: the first occurrence of a
				// jar
				// and the second are the same
				measure(kind, "with", without + ":" + this.jvm.classPath("reflector"));
			}
		}
	}

	private void measure(String kind, String contender, String classPath) {
		System.err.println("start-up: " + kind + ", " + contender);
		this.figures.add("startup-" + kind, contender, this.jvm
			.run(this.jvm.command(List.of("-Xmx512m", "-XX:+UseG1GC"), classPath, MAIN, List.of()), TIMEOUT));
	}

}
