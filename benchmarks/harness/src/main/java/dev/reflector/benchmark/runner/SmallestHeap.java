package dev.reflector.benchmark.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.reflector.benchmark.server.Kind;

/**
 * Finds the smallest heap with which a client still synchronises, by halving the range on
 * a logarithmic scale.
 */
final class SmallestHeap {

	static final int OBJECT_BYTES = 8192;

	private static final Duration ATTEMPT = Duration.ofSeconds(30);

	private static final int LEAST = 12;

	private static final int MOST = 3072;

	private final Jvm jvm;

	private final Scale scale;

	SmallestHeap(Jvm jvm, Scale scale) {
		this.jvm = jvm;
		this.scale = scale;
	}

	void measure(Figures figures) {
		try (LoadServerProcess server = new LoadServerProcess(this.jvm, Kind.PODS, this.scale.heapPods(),
				OBJECT_BYTES)) {
			for (Contender contender : Contender.CLIENTS) {
				int heap = search(contender, server);
				if (heap <= MOST) {
					figures.add("heap", contender.name(), Map.of("smallestHeap.megabytes", (double) heap));
				}
			}
		}
	}

	private int search(Contender contender, LoadServerProcess server) {
		// what it takes depends on the type, so the search begins near it
		double low = LEAST;
		double high = (contender.group() == Contender.Group.OURS) ? 64 : 256;
		while (high <= MOST && !suffices(contender, server, (int) high)) {
			low = high;
			high *= 2;
		}
		while (high <= MOST && high / low > this.scale.heapPrecision()) {
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
