package dev.reflector.benchmark.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.reflector.benchmark.runner.RunningReplica.Report;

/**
 * Measures how long slots have no owner, and how long the new owner takes to deliver
 * their objects, when one of several replicas is killed, joins or leaves.
 */
final class TakeOverRuns {

	private static final int REPLICAS = 3;

	private final ServedCluster cluster;

	private final Figures figures;

	private final Times times;

	private final String group;

	private final List<RunningReplica> living = new ArrayList<>();

	private int serial;

	/**
	 * Creates the measurement.
	 * @param cluster the server
	 * @param figures takes the results
	 * @param times of the Leases
	 */
	TakeOverRuns(ServedCluster cluster, Figures figures, Times times) {
		this.cluster = cluster;
		this.figures = figures;
		this.times = times;
		this.group = "takeover-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
	}

	void run(int rounds) {
		String scenario = scenario();
		System.err.println(scenario);
		try {
			for (int i = 0; i < REPLICAS; i++) {
				this.living.add(start());
			}
			this.living.forEach(RunningReplica::awaitReady);
			this.living.forEach(RunningReplica::go);
			awaitDivided();
			for (int round = 0; round < rounds; round++) {
				kill();
				join();
				leave();
				join();
			}
			new ArrayList<>(this.living).forEach(RunningReplica::stop);
		}
		catch (IllegalStateException ex) {
			System.err.println(ex.getMessage());
			this.figures.incomplete(scenario, "take-over");
		}
		finally {
			this.living.forEach(RunningReplica::close);
		}
	}

	private String scenario() {
		return "take-over, " + this.times;
	}

	private RunningReplica start() {
		String identity = "replica-" + this.serial++;
		List<String> arguments = Division.byLease(this.group, identity,
				"--reflector.sharding.leases.lease-duration=" + this.times.leaseDuration().toMillis() + "ms",
				"--reflector.sharding.leases.renew-deadline=" + this.times.renewDeadline().toMillis() + "ms",
				"--reflector.sharding.leases.retry-period=" + this.times.retryPeriod().toMillis() + "ms");
		arguments.add("own");
		return this.cluster.replica(identity, arguments);
	}

	private void awaitDivided() {
		ScalingRuns.await(this.living, (reports) -> Division.isDivided(reports, this.cluster.count()));
		// so that what happens next does not always happen at the same time of a renewal
		ScalingRuns.sleep(Duration.ofMillis((long) (Math.random() * this.times.retryPeriod().toMillis())));
	}

	private void kill() {
		RunningReplica victim = this.living.remove(0);
		Collection<Integer> slots = victim.report().bySlot("owned").keySet();
		Map<Integer, Long> lost = new TreeMap<>();
		victim.worker().kill();
		long at = System.nanoTime();
		slots.forEach((slot) -> lost.put(slot, at));
		awaitDivided();
		victim.close();
		add("killed", at, lost);
	}

	private void leave() {
		RunningReplica leaving = this.living.remove(0);
		Collection<Integer> slots = leaving.report().bySlot("owned").keySet();
		long at = System.nanoTime();
		Map<Integer, Long> lost = leaving.stop().bySlot("lost");
		lost.keySet().retainAll(slots);
		awaitDivided();
		leaving.close();
		add("leaves", at, lost);
	}

	private void join() {
		RunningReplica joining = start();
		joining.awaitReady();
		long at = System.nanoTime();
		joining.go();
		this.living.add(joining);
		awaitDivided();
		Collection<Integer> moved = joining.report().bySlot("owned").keySet();
		Map<Integer, Long> lost = new TreeMap<>();
		for (RunningReplica replica : this.living) {
			// the latest loss of a slot is that to the one that joins
			replica.report().bySlot("lost").forEach((slot, time) -> {
				if (moved.contains(slot)) {
					lost.merge(slot, time, Math::max);
				}
			});
		}
		add("joins", at, lost);
	}

	private void add(String what, long at, Map<Integer, Long> lost) {
		Map<Integer, Long> owned = new TreeMap<>();
		Map<Integer, Long> told = new TreeMap<>();
		for (Report report : ScalingRuns.reports(this.living)) {
			owned.putAll(report.bySlot("owned"));
			told.putAll(report.bySlot("told"));
		}
		List<Double> unowned = lost.keySet().stream().map((slot) -> (owned.get(slot) - lost.get(slot)) / 1e9).toList();
		List<Double> untold = lost.keySet().stream().map((slot) -> (told.get(slot) - lost.get(slot)) / 1e9).toList();
		Map<String, Double> values = new LinkedHashMap<>();
		values.put("slots", (double) lost.size());
		values.put("withoutOwner.least", Figures.Summary.of(unowned).least());
		values.put("withoutOwner.median", Figures.Summary.of(unowned).median());
		values.put("withoutOwner.most", Figures.Summary.of(unowned).most());
		values.put("untilTold.median", Figures.Summary.of(untold).median());
		values.put("untilTold.most", Figures.Summary.of(untold).most());
		values.put("all",
				(told.entrySet()
					.stream()
					.filter((entry) -> lost.containsKey(entry.getKey()))
					.mapToLong(Map.Entry::getValue)
					.max()
					.orElse(at) - at) / 1e9);
		this.figures.add(scenario(), what, values);
	}

	/**
	 * Times of the Leases.
	 *
	 * @param leaseDuration after which a silent replica is succeeded
	 * @param renewDeadline after which it does not deliver any more
	 * @param retryPeriod pause between renewals
	 */
	record Times(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

		static final Times DEFAULT = new Times(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

		static final Times SHORT = new Times(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500));

		@Override
		public String toString() {
			return "lease-duration " + text(this.leaseDuration) + ", renew-deadline " + text(this.renewDeadline)
					+ ", retry-period " + text(this.retryPeriod);
		}

		private static String text(Duration time) {
			return (time.toMillis() % 1000 == 0) ? time.toSeconds() + "s" : time.toMillis() + "ms";
		}

	}

}
