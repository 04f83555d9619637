package dev.reflector.benchmark.runner;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.benchmark.server.Kind;

/**
 * Measures what the starter costs an application that mirrors nothing, or one type: the
 * same application, outside of this repository, with and without the starter. With a
 * type, the start ends when the mirror of a few objects has synced.
 */
final class Startup {

	static final List<String> KINDS = List.of("none", "servlet", "webflux");

	static final String WITH = "with the starter";

	static final String ONE_TYPE = "with the starter and one type";

	static final String WITHOUT = "without";

	/** All other applications have the actuator, since the starter brings it. */
	static final String NO_ACTUATOR = "without the actuator";

	private static final int OBJECTS = 10;

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private final Jvm jvm;

	private final Path consumers;

	private final Figures figures;

	private final int rounds;

	/**
	 * Creates the measurement.
	 * @param jvm starts them
	 * @param consumers folder of the applications, built
	 * @param figures takes the results
	 * @param rounds how often each is started
	 */
	Startup(Jvm jvm, Path consumers, Figures figures, int rounds) {
		this.jvm = jvm;
		this.consumers = consumers;
		this.figures = figures;
		this.rounds = rounds;
	}

	static String scenario(String kind) {
		return "startup-" + kind;
	}

	void run() {
		try (LoadServerProcess server = new LoadServerProcess(this.jvm, Kind.PODS, OBJECTS, 0)) {
			String url = "-Dreflector.api-server.url=" + server.url();
			for (int round = 0; round < this.rounds; round++) {
				for (String kind : KINDS) {
					measure(kind, NO_ACTUATOR, kind + "-bare");
					// none is always the one that comes after the other
					if (round % 2 == 0) {
						measure(kind, WITHOUT, kind);
						measure(kind, WITH, kind + "-with");
						measure(kind, ONE_TYPE, kind + "-type", url);
					}
					else {
						measure(kind, ONE_TYPE, kind + "-type", url);
						measure(kind, WITH, kind + "-with");
						measure(kind, WITHOUT, kind);
					}
				}
			}
		}
	}

	private void measure(String kind, String contender, String application, String... options) {
		System.err.println("start-up: " + kind + ", " + contender);
		Path jar = this.consumers.resolve(application).resolve("target/application.jar");
		Map<String, Double> values = this.jvm.run(this.jvm
			.command(Stream.concat(Stream.of("-Xmx512m", "-XX:+UseG1GC"), Stream.of(options)).toList(), jar), TIMEOUT);
		if (values.isEmpty()) {
			this.figures.incomplete(scenario(kind), contender);
		}
		this.figures.add(scenario(kind), contender, values);
	}

}
