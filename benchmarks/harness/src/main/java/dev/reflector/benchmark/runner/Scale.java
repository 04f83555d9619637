package dev.reflector.benchmark.runner;

import java.time.Duration;
import java.util.List;

/**
 * How much is measured.
 *
 * @param name name of the scale
 * @param pods numbers of pods; the first is what targets are about
 * @param widgets numbers of widgets
 * @param warm events of the burst before a burst, which is not counted
 * @param burst events of a burst where targets are about it
 * @param otherBurst events of a burst elsewhere
 * @param seconds how long events come at a steady rate
 * @param retained objects whose part of the heap is measured
 * @param heapPods how many objects of 8 KB the smallest heap has to hold
 * @param heapPrecision factor up to which the smallest heap is found
 * @param startups how often each empty application starts
 * @param rounds how often each contender runs, at most
 * @param leastRounds how often each contender runs at least, but for peers with their own
 * models; those that take much longer than others only synchronise again
 * @param budget after which time no further round begins that would go beyond it
 * @param timeout how long one process may take
 */
record Scale(String name, List<Integer> pods, List<Integer> widgets, int warm, int burst, int otherBurst, int seconds,
		int retained, int heapPods, double heapPrecision, int startups, int rounds, int leastRounds, Duration budget,
		Duration timeout) {

	/** Everything, which takes hours. */
	static final Scale FULL = new Scale("full", List.of(50_000, 10_000, 100_000), List.of(10_000, 50_000, 100_000),
			100_000, 200_000, 200_000, 10, 20_000, 10_000, 1.05, 10, 5, 5, Duration.ofHours(12), Duration.ofMinutes(6));

	/** What fits into a quarter of an hour on two cores. */
	static final Scale SHORT = new Scale("short", List.of(50_000), List.of(10_000), 25_000, 200_000, 50_000, 5, 10_000,
			10_000, 1.25, 3, 5, 2, Duration.ofSeconds(840), Duration.ofSeconds(180));

	/** Shows that everything works, and measures nothing. */
	static final Scale SMOKE = new Scale("smoke", List.of(1000), List.of(500), 1000, 2000, 2000, 1, 500, 200, 2.5, 1, 1,
			1, Duration.ofMinutes(10), Duration.ofSeconds(120));

	static Scale of(String option) {
		return switch (option) {
			case "--short" -> SHORT;
			case "--smoke" -> SMOKE;
			case "--full" -> FULL;
			default -> throw new IllegalArgumentException("unknown option " + option);
		};
	}

	/** A burst, and before it one that is not counted, for the compiler. */
	String burstPhases(int events) {
		return "warm:" + Math.min(this.warm, events / 2) + ",burst:" + events;
	}

	String phases() {
		return burstPhases(this.burst) + ",paced:" + 1000 * this.seconds + ":1000,paced:" + 10_000 * this.seconds
				+ ":10000,relist";
	}

}
