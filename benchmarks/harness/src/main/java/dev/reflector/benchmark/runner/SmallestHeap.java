package dev.reflector.benchmark.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.reflector.benchmark.server.Kind;

/**
 * Finds the smallest heap with which a client still synchronises, first by halves or
 * doubles, then between the last two.
 */
final class SmallestHeap {

	static final int OBJECT_BYTES = 8192;

	private static final Duration ATTEMPT = Duration.ofSeconds(20);

	private static final int LEAST = 12;

	private static final int MOST = 3000;

	private final Jvm jvm;

	private final Scale scale;

	private final Consumer<String> log;

	SmallestHeap(Jvm jvm, Scale scale, Consumer<String> log) {
		this.jvm = jvm;
		this.scale = scale;
		this.log = log;
	}

	void measure(Figures figures) {
		try (LoadServerProcess server = new LoadServerProcess(this.jvm, Kind.PODS, this.scale.heapPods(),
				OBJECT_BYTES)) {
			for (Contender contender : Contender.CLIENTS) {
				this.log.accept("smallest heap: " + contender.name());
				int heap = search(contender, server);
				if (heap <= MOST) {
					figures.add("heap", contender.name(), Map.of("smallestHeap.megabytes", (double) heap));
				}
			}
		}
	}

	private int search(Contender contender, LoadServerProcess server) {
		// what it takes depends on the type, so the search begins near it
		int high = switch (contender.group()) {
			case OURS -> 44;
			case SLIM -> 384;
			default -> 768;
		};
		if (suffices(contender, server, high)) {
			while (high / 2 >= LEAST && suffices(contender, server, high / 2)) {
				high /= 2;
			}
		}
		else {
			do {
				high *= 2;
			}
			while (high <= MOST && !suffices(contender, server, high));
		}
		return (high <= MOST) ? narrowed(contender, server, high) : high;
	}

	private int narrowed(Contender contender, LoadServerProcess server, int sufficient) {
		double low = sufficient / 2.0;
		double high = sufficient;
		while (high / low > this.scale.heapPrecision()) {
			double middle = Math.sqrt(low * high);
			if (suffices(contender, server, (int) middle)) {
				high = middle;
			}
			else {
				low = middle;
			}
		}
		return (int) high;
	}

	private boolean suffices(Contender contender, LoadServerProcess server, int megabytes) {
		List<String> options = List.of("-Xmx" + megabytes + "m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");
		List<String> arguments = new ArrayList<>(List.of("server=" + server.url(), "kind=PODS",
				"count=" + this.scale.heapPods(), "timeout=" + ATTEMPT.toSeconds()));
		arguments.addAll(contender.arguments());
		return !this.jvm
			.run(this.jvm.command(options, this.jvm.classPath(contender.module()), contender.mainClass(), arguments),
					ATTEMPT.plusSeconds(5))
			.isEmpty();
	}

}
