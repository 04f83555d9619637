package dev.reflector.benchmark.runner;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.reflector.benchmark.runner.Contender.Group;
import org.jspecify.annotations.Nullable;

/**
 * The target for the ratio of this project's figure to that of the best other contender.
 *
 * @param name the name of the ratio
 * @param scenario the scenario in which it is measured
 * @param figure the figure
 * @param against the group of the other contenders
 * @param value the target
 * @param atLeast whether it must be reached rather than not be exceeded; then a larger
 * ratio is better
 */
record Target(String name, String scenario, String figure, Group against, double value, boolean atLeast) {

	/** The oldest JVM that is supported. */
	private static final int OLDEST = 17;

	/**
	 * The targets.
	 * @param main the scenario that most are about
	 */
	static List<Target> all(String main) {
		List<Target> targets = new ArrayList<>();
		pair(targets, main, "burst.eventsPerSecond", 3, 8, true);
		pair(targets, main, "burst.cpuMicrosPerEvent", 0.4, 0.13, false);
		pair(targets, main, "burst.allocatedBytesPerEvent", 0.2, 0.1, false);
		pair(targets, main, "sync.seconds", 0.6, 0.35, false);
		pair(targets, main, "sync.cpuSeconds", 0.6, 0.35, false);
		targets.add(new Target("process.cpuSeconds/slim", main, "process.cpuSeconds", Group.SLIM, 1, false));
		pair(targets, main, "sync.peakRssBytes", 0.6, 0.2, false);
		pair(targets, "retained", "retained.bytesPerObject", 0.6, 0.1, false);
		targets.add(new Target("latency10000.p99Millis/slim", main, "latency10000.p99Millis", Group.SLIM, 0.25, false));
		for (String figure : List.of("latency1000.p99Millis", "latency1000.cpuMicrosPerEvent",
				"relist.outageSeconds")) {
			targets.add(new Target(figure + "/slim", main, figure, Group.SLIM, 1, false));
		}
		pair(targets, main, "relist.cpuSeconds", 0.5, 0.2, false);
		pair(targets, main, "relist.allocatedBytes", 0.3, 0.1, false);
		pair(targets, "heap", "smallestHeap.megabytes", 0.1, 0.1, false);
		targets.add(new Target("burst.eventsPerSecond/bound", main, "burst.eventsPerSecond", Group.FLOOR, 0.7, true));
		targets.add(new Target("burst.eventsPerSecond/drained", main, "burst.eventsPerSecond", Group.WIRE, 0.35, true));
		return targets;
	}

	/** Returns how much the starter may add to an empty application. */
	static List<Target> startup() {
		List<Target> targets = new ArrayList<>();
		for (String kind : Startup.KINDS) {
			targets.add(new Target("startup.seconds/" + kind, Startup.scenario(kind), "startup.seconds", Group.ABSENT,
					1.15, false));
		}
		return targets;
	}

	/**
	 * Returns how much a snapshot may cost, and how much it must save at the next start.
	 */
	static List<Target> durable() {
		return List.of(
				new Target("readable.seconds/cold", DurableRuns.SCENARIO, "readable.seconds", Group.COLD, 0.2, false),
				new Target("burst.eventsPerSecond/unstored", DurableRuns.SCENARIO, "burst.eventsPerSecond",
						Group.UNSTORED, 0.9, true));
	}

	/** Returns how much protobuf must save, and where it must not cost more. */
	static List<Target> formats() {
		List<Target> targets = new ArrayList<>();
		for (String scenario : FormatRuns.SCENARIOS.keySet()) {
			format(targets, scenario, "sync.seconds", 1, false);
			format(targets, scenario, "sync.cpuSeconds", 1, false);
			format(targets, scenario, "sync.receivedBytes", 0.7, false);
			format(targets, scenario, "burst.eventsPerSecond", 1, true);
			format(targets, scenario, "burst.cpuMicrosPerEvent", 0.6, false);
			format(targets, scenario, "burst.receivedBytesPerEvent", 0.7, false);
			format(targets, scenario, "settled.eventsPerSecond", 1, true);
			format(targets, scenario, "settled.cpuMicrosPerEvent", 0.6, false);
			format(targets, scenario, "latency1000.cpuMicrosPerEvent", 0.6, false);
		}
		return targets;
	}

	/**
	 * Returns how much a service that has run for minutes may use, and its cold start.
	 */
	static List<Target> settled() {
		List<Target> targets = new ArrayList<>();
		for (String scenario : SettledRuns.SCENARIOS.keySet()) {
			List<String> figures = new ArrayList<>(
					List.of("sync.seconds", "sync.cpuSeconds", "process.cpuSeconds", "burst.cpuMicrosPerEvent"));
			if (SettledRuns.WHOLE.contains(scenario)) {
				for (String rate : List.of("steady1000", "steady10000")) {
					figures.add(rate + ".cpuMicrosPerEvent");
					figures.add(rate + ".allocatedBytesPerEvent");
					// a few rounds are too few to compare percentiles
					if (scenario.equals(SettledRuns.EACH_ROUND)) {
						figures.addAll(List.of(rate + ".p50Millis", rate + ".p99Millis", rate + ".p999Millis"));
					}
				}
			}
			figures.forEach((figure) -> targets
				.add(new Target(figure + "/" + scenario, scenario, figure, Group.NEAREST, 1, false)));
		}
		return targets;
	}

	/** Returns how much a cold start may use: a tenth more on the oldest JVM. */
	static List<Target> cold() {
		double most = (Runtime.version().feature() == OLDEST) ? 1.1 : 1;
		return Stream.of("sync.cpuSeconds", "process.cpuSeconds")
			.map((figure) -> new Target(figure + "/" + LoadedRuns.COLD, LoadedRuns.COLD, figure, Group.NEAREST, most,
					false))
			.toList();
	}

	private static void format(List<Target> targets, String scenario, String figure, double value, boolean atLeast) {
		targets.add(new Target(figure + "/" + scenario, scenario, figure, Group.JSON, value, atLeast));
	}

	private static void pair(List<Target> targets, String scenario, String figure, double slim, double own,
			boolean atLeast) {
		targets.add(new Target(figure + "/slim", scenario, figure, Group.SLIM, slim, atLeast));
		targets.add(new Target(figure + "/own", scenario, figure, Group.OWN, own, atLeast));
	}

	/**
	 * Our median divided by the best median of the others.
	 * @return the ratio, {@code null} when one of them is missing
	 */
	@Nullable Double ratio(Figures figures) {
		Double ours = figures.median(this.scenario, this.figure, own());
		Comparator<Double> order = Comparator.naturalOrder();
		Double best = others().stream()
			.map((contender) -> figures.median(this.scenario, this.figure, contender))
			.filter(Objects::nonNull)
			.max(this.atLeast ? order : order.reversed())
			.orElse(null);
		return (ours != null && best != null && best > 0) ? Double.valueOf(ours / best) : null;
	}

	/**
	 * Who should have been measured and was not.
	 * @return their names
	 */
	List<String> missing(Figures figures) {
		return Stream.concat(Stream.of(own()), others().stream())
			.filter((contender) -> figures.median(this.scenario, this.figure, contender) == null)
			.toList();
	}

	private String own() {
		return switch (this.against) {
			case ABSENT -> Startup.WITH;
			case UNSTORED -> DurableRuns.STORING.name();
			case COLD -> DurableRuns.RESTORED.name();
			case JSON -> FormatRuns.PROTOBUF.name();
			default -> Contender.OURS.name();
		};
	}

	private List<String> others() {
		return switch (this.against) {
			case ABSENT -> List.of(Startup.WITHOUT);
			case UNSTORED, COLD -> List.of(DurableRuns.PLAIN.name());
			case JSON -> List.of(FormatRuns.JSON.name());
			case NEAREST -> List.of(Contender.BEST_PEER.name());
			case FLOOR -> List.of(Contender.BIND.name());
			case WIRE -> List.of(Contender.DRAIN.name());
			default -> Contender.CLIENTS.stream()
				.filter((contender) -> contender.group() == this.against)
				.map(Contender::name)
				.toList();
		};
	}

	boolean isReached(double ratio) {
		return this.atLeast ? ratio >= this.value : ratio <= this.value;
	}

}
