package dev.reflector.benchmark.runner;

import java.time.Duration;
import java.util.List;

import dev.reflector.benchmark.server.Kind;

/**
 * How much is measured.
 *
 * @param name the name of the scale, and of the files with its results
 * @param thorough whether every contender runs in every round; otherwise, peers with
 * their own models and the floors run once, and a peer with the slim type that is far
 * behind with events only synchronizes again
 * @param pods numbers of pods; targets are about the first number
 * @param widgets numbers of widgets
 * @param warm events of the warm-up before a burst, which is not counted
 * @param burst events of a burst that targets are about
 * @param otherBurst events of other bursts: of peers with their own models, and of peers
 * that are far behind with events
 * @param seconds how long events come at a steady rate
 * @param retained the number of objects whose share of the heap is measured
 * @param heapPods how many objects of 8 KB the smallest heap must hold
 * @param heapPrecision the factor to which the smallest heap is determined
 * @param startups how often each empty application starts
 * @param variants how often each variant runs
 * @param rounds how often each contender runs, at most
 * @param budget unless thorough, the time after which no round but the first continues
 * @param timeout how long one process may take
 */
record Scale(String name, boolean thorough, List<Integer> pods, List<Integer> widgets, int warm, int burst,
		int otherBurst, int seconds, int retained, int heapPods, double heapPrecision, int startups, int variants,
		int rounds, Duration budget, Duration timeout) {

	/** Five rounds of everyone, and types with whole metadata: about an hour. */
	static final Scale FULL = new Scale("full", true, List.of(50_000), List.of(), 25_000, 200_000, 50_000, 10, 10_000,
			10_000, 1.05, 0, 0, 5, Duration.ofHours(3), Duration.ofSeconds(240));

	/**
	 * Measures what targets are about, except start-up, limited to a quarter of an hour
	 * on two cores.
	 */
	static final Scale SHORT = new Scale("short", false, List.of(50_000), List.of(), 25_000, 200_000, 50_000, 5, 10_000,
			10_000, 1.05, 0, 0, 5, Duration.ofSeconds(860), Duration.ofSeconds(240));

	/** Our own variants, and small objects. */
	static final Scale VARIANTS = new Scale("variants", false, List.of(), List.of(10_000), 25_000, 200_000, 50_000, 5,
			0, 0, 1, 0, 3, 3, Duration.ofMinutes(10), Duration.ofSeconds(180));

	/** Shows that everything works, and measures nothing. */
	static final Scale SMOKE = new Scale("smoke", true, List.of(1000), List.of(500), 1000, 2000, 2000, 1, 500, 200, 2.5,
			1, 1, 1, Duration.ofMinutes(10), Duration.ofSeconds(120));

	static Scale of(String option) {
		return switch (option) {
			case "--short" -> SHORT;
			case "--smoke" -> SMOKE;
			case "--full" -> FULL;
			case "--variants" -> VARIANTS;
			default -> throw new IllegalArgumentException("unknown option " + option
					+ ": one of --short, --full, --variants, --durable, --growth, --idle, --formats, --settled, --loaded, --survivors, --scaling, --startup, --profile, --smoke, --micro is possible");
		};
	}

	/**
	 * The factor to which the smallest heap is determined: a contender that is far behind
	 * needs less precision.
	 */
	double heapPrecision(Contender contender) {
		return (this.thorough || contender.group() != Contender.Group.OWN) ? this.heapPrecision
				: Math.max(this.heapPrecision, 1.25);
	}

	/** A burst, and before it one that is not counted, for the compiler. */
	String burstPhases(int events) {
		return "warm:" + Math.min(this.warm, events / 2) + ",burst:" + events;
	}

	/** The phases after synchronizing. New lists come first, as in {@link #lists}. */
	String phases(Kind kind, Contender contender) {
		String burst = burstPhases(isAhead(kind, contender) ? this.burst : this.otherBurst);
		if (kind == Kind.PODS && isFullyMeasured(contender)) {
			return lists() + "," + burst + ",paced:" + 1000 * this.seconds + ":1000,paced:" + 10_000 * this.seconds
					+ ":10000";
		}
		return (kind == Kind.PODS) ? lists() + "," + burst : burst;
	}

	/**
	 * Contenders that are far behind, or only show the cost of Spring, get no steady
	 * rate.
	 */
	private static boolean isFullyMeasured(Contender contender) {
		return contender.group() == Contender.Group.OURS || contender.group() == Contender.Group.SLIM;
	}

	/**
	 * Whether figures of events depend on this contender, and so come from several whole
	 * runs. Other contenders deliver far fewer events per second.
	 */
	boolean isAhead(Kind kind, Contender contender) {
		boolean best = contender.group() == Contender.Group.SLIM && contender.module().equals("official");
		return kind == Kind.PODS && (best || contender.group() == Contender.Group.OURS);
	}

	/** The phases after synchronizing if there is no time for more. */
	String lists() {
		return "relist";
	}

	/** The number of objects with which this project's variants are compared. */
	int variantPods() {
		return Math.min(10_000, this.burst);
	}

	/** Events of a burst without a client. */
	int floorBurst(Kind kind) {
		return (kind == Kind.PODS) ? this.burst : this.otherBurst;
	}

}
