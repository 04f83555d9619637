package dev.reflector.benchmark.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.reflector.benchmark.server.Kind;

/**
 * Finds the smallest heap with which a client still synchronizes, in steps down or up
 * from the expected size.
 */
final class SmallestHeap {

	static final int OBJECT_BYTES = 8192;

	private static final Duration ATTEMPT = Duration.ofSeconds(20);

	private static final int LEAST = 12;

	private static final int MOST = 3000;

	/**
	 * After so many small steps without success, the machine differs too much from the
	 * one of the expected sizes, and steps grow.
	 */
	private static final int SMALL_STEPS = 6;

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

	/** The expected megabytes, at which the search begins, to need few attempts. */
	private static int expected(Contender contender) {
		return switch (contender.group()) {
			case OURS -> 20;
			case SLIM -> contender.module().equals("fabric8") ? 215 : 26;
			default -> contender.module().equals("fabric8") ? 560 : 1400;
		};
	}

	private int search(Contender contender, LoadServerProcess server) {
		double step = this.scale.heapPrecision(contender);
		double heap = expected(contender);
		if (suffices(contender, server, (int) heap)) {
			while (heap / step >= LEAST && suffices(contender, server, (int) (heap / step))) {
				heap /= step;
			}
			return (int) heap;
		}
		for (int attempt = 1; heap * step <= MOST; attempt++) {
			heap *= step;
			if (suffices(contender, server, (int) heap)) {
				return (int) heap;
			}
			if (attempt >= SMALL_STEPS) {
				step = Math.max(step, 2);
			}
		}
		return MOST + 1;
	}

	private boolean suffices(Contender contender, LoadServerProcess server, int megabytes) {
		return !this.jvm
			.run(contender, List.of("-Xmx" + megabytes + "m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"),
					List.of("server=" + server.url(), "kind=PODS", "count=" + this.scale.heapPods(),
							"timeout=" + ATTEMPT.toSeconds()),
					ATTEMPT.plusSeconds(5))
			.isEmpty();
	}

}
