package dev.reflector.benchmark.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import dev.reflector.benchmark.runner.RunningReplica.Report;

/**
 * Measures what each of several replicas receives and uses, and how much work that is for
 * the server.
 */
final class ScalingRuns {

	static final String SERVER = ", the server";

	private static final Duration TIMEOUT = Duration.ofSeconds(90);

	/** More bytes than the renewals of some Leases. */
	private static final long QUIET_BYTES = 32 * 1024;

	private final Figures figures;

	private final int changes;

	private final Duration rest;

	private int serial;

	/**
	 * Creates the measurement.
	 * @param figures takes the results
	 * @param changes how many changes there are in a run
	 * @param rest how long the replicas are looked at while nothing changes
	 */
	ScalingRuns(Figures figures, int changes, Duration rest) {
		this.figures = figures;
		this.changes = changes;
		this.rest = rest;
	}

	static String name(Division division, int replicas) {
		return division.title() + ", " + replicas + ((replicas == 1) ? " replica" : " replicas");
	}

	/** Runs one division, and takes what was measured if it has come to its end. */
	void run(ServedCluster cluster, String scenario, Division division, int count) {
		String name = name(division, count);
		System.err.println(scenario + ": " + name);
		List<RunningReplica> replicas = new ArrayList<>();
		try (RunningBroker broker = (division == Division.BROKER) ? cluster.broker() : RunningBroker.NONE) {
			String group = "scaling-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + this.serial++;
			for (int i = 0; i < count; i++) {
				replicas.add(cluster.replica(name, division.module(),
						division.arguments(group, i, count, broker.servers())));
			}
			measure(cluster, scenario, division, replicas);
			replicas.forEach(RunningReplica::stop);
		}
		catch (IllegalStateException ex) {
			System.err.println(ex.getMessage());
			this.figures.incomplete(scenario, name);
		}
		finally {
			replicas.forEach(RunningReplica::close);
		}
	}

	private void measure(ServedCluster cluster, String scenario, Division division, List<RunningReplica> replicas) {
		List<Report> gates = replicas.stream().map(RunningReplica::awaitReady).toList();
		cluster.reset();
		Moment before = Moment.of(cluster, List.of());
		replicas.forEach(RunningReplica::go);
		await(replicas, (reports) -> division.hasBegun(reports, cluster.count()));
		awaitQuiet(replicas);
		Moment begun = Moment.of(cluster, replicas);
		sleep(this.rest);
		Moment rested = Moment.of(cluster, replicas);
		cluster.change(this.changes);
		await(replicas,
				(reports) -> Division.sum(reports, "updates") >= (long) this.changes * division.calls(replicas.size()));
		awaitQuiet(replicas);
		Moment changed = Moment.of(cluster, replicas);
		String name = name(division, replicas.size());
		for (int i = 0; i < replicas.size(); i++) {
			Map<String, Double> values = new LinkedHashMap<>();
			Report report = changed.reports().get(i);
			values.put("initial.receivedBytes", (double) begun.received().get(i));
			values.put("initial.cpuSeconds", seconds(begun.cpu(i) - gates.get(i).number("cpu")));
			values.put("initial.additions", (double) begun.reports().get(i).number("additions"));
			values.put("rest.receivedBytesPerSecond",
					(rested.received().get(i) - begun.received().get(i)) * 1e9 / (rested.nanos() - begun.nanos()));
			values.put("changes.receivedBytes", (double) (changed.received().get(i) - rested.received().get(i)));
			values.put("changes.cpuSeconds", seconds(changed.cpu(i) - rested.cpu(i)));
			values.put("changes.updates", (double) report.number("updates"));
			values.put("objects", (double) report.number("size"));
			values.put("retained.bytes", (double) (replicas.get(i).heap() - gates.get(i).number("heap")));
			if (!report.text("filteredBy").equals("NOBODY")) {
				values.put("filtered.here", report.text("filteredBy").equals("CLIENT") ? 1.0 : 0.0);
			}
			values.put("lists", (double) (report.number("lists")));
			values.put("watches", (double) (report.number("watches")));
			this.figures.add(scenario, name, values);
		}
		this.figures.add(scenario, name + SERVER, server(before, begun, rested, changed));
	}

	private static Map<String, Double> server(Moment before, Moment begun, Moment rested, Moment changed) {
		Map<String, Double> values = new LinkedHashMap<>();
		values.put("told.additions", (double) Division.sum(begun.reports(), "additions"));
		values.put("told.updates", (double) Division.sum(changed.reports(), "updates"));
		values.put("initial.sentBytes", (double) begun.sent());
		values.put("initial.seconds", seconds(begun.nanos() - before.nanos()));
		values.put("changes.sentBytes", (double) (changed.sent() - rested.sent()));
		if (changed.server().number("cpu") > 0) {
			values.put("initial.serverCpuSeconds",
					seconds(begun.server().number("cpu") - before.server().number("cpu")));
			values.put("changes.serverCpuSeconds",
					seconds(changed.server().number("cpu") - rested.server().number("cpu")));
			values.put("initial.requests",
					(double) (begun.server().number("requests") - before.server().number("requests")));
			values.put("rest.leaseRequestsPerSecond",
					(rested.server().number("requestsOfLeases") - begun.server().number("requestsOfLeases")) * 1e9
							/ (rested.nanos() - begun.nanos()));
			values.put("openWatches", (double) changed.server().number("watches"));
		}
		return values;
	}

	private static double seconds(long nanos) {
		return nanos / 1e9;
	}

	static List<Report> reports(List<RunningReplica> replicas) {
		return replicas.stream().map(RunningReplica::report).toList();
	}

	/** Waits until what all replicas say is as it should be. */
	static void await(List<RunningReplica> replicas, Predicate<List<Report>> condition) {
		long deadline = System.nanoTime() + TIMEOUT.toNanos();
		while (!condition.test(reports(replicas))) {
			if (System.nanoTime() > deadline) {
				throw new IllegalStateException("not there after " + TIMEOUT.toSeconds() + " s: " + reports(replicas));
			}
			sleep(Duration.ofMillis(50));
		}
	}

	/**
	 * Waits until no more data arrives: changes that a replica does not deliver may still
	 * be on their way to the replica.
	 */
	private static void awaitQuiet(List<RunningReplica> replicas) {
		long before = -QUIET_BYTES;
		long now = sent(replicas);
		while (now - before >= QUIET_BYTES) {
			sleep(Duration.ofMillis(300));
			before = now;
			now = sent(replicas);
		}
	}

	private static long sent(List<RunningReplica> replicas) {
		return replicas.stream().mapToLong((replica) -> replica.relay().received()).sum();
	}

	static void sleep(Duration time) {
		try {
			TimeUnit.MILLISECONDS.sleep(time.toMillis());
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("interrupted", ex);
		}
	}

	/**
	 * The state at one time.
	 *
	 * @param nanos the time
	 * @param received the bytes that each replica has received
	 * @param reports the report of each replica
	 * @param server the report of the server
	 */
	private record Moment(long nanos, List<Long> received, List<Report> reports, Report server) {

		static Moment of(ServedCluster cluster, List<RunningReplica> replicas) {
			return new Moment(System.nanoTime(),
					replicas.stream().map((replica) -> replica.relay().received()).toList(),
					ScalingRuns.reports(replicas), Report.of(cluster.report()));
		}

		long cpu(int replica) {
			return this.reports.get(replica).number("cpu");
		}

		long sent() {
			return this.received.stream().mapToLong(Long::longValue).sum();
		}

	}

}
