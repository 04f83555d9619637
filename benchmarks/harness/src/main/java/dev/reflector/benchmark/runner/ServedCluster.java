package dev.reflector.benchmark.runner;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The server of several replicas, or a process that controls an existing server.
 */
final class ServedCluster implements AutoCloseable {

	private static final String BASE = "dev.reflector.benchmark.scaling.";

	private static final Duration FILLING = Duration.ofMinutes(5);

	private static final Duration CHANGING = Duration.ofMinutes(4);

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	private final Jvm jvm;

	private final Worker worker;

	private final InetSocketAddress address;

	private final int count;

	/**
	 * Starts the server, and fills it with objects.
	 * @param jvm starts processes
	 * @param kubeconfig of an existing server, or {@code null} for the embedded server
	 * @param sharding whether the embedded server filters by shard
	 * @param count the number of objects
	 */
	ServedCluster(Jvm jvm, @Nullable String kubeconfig, boolean sharding, int count) {
		this.jvm = jvm;
		this.count = count;
		this.worker = new Worker("the server", jvm.command(List.of("-Xmx4g", "-XX:+UseParallelGC"),
				jvm.classPath("scaling"), BASE + "ClusterProcess",
				List.of("count=" + count, (kubeconfig != null) ? "kubeconfig=" + kubeconfig : "sharding=" + sharding)));
		Map<String, String> address = this.worker.answer(FILLING);
		this.address = new InetSocketAddress(address.get("host"), Integer.parseInt(address.get("port")));
	}

	int count() {
		return this.count;
	}

	/** Starts a replica, which waits at the gate. */
	RunningReplica replica(String name, List<String> arguments) {
		return replica(name, "scaling", arguments);
	}

	/** Starts a replica with the class path of a module. */
	RunningReplica replica(String name, String module, List<String> arguments) {
		CountingRelay relay = new CountingRelay(this.address);
		String property = this.worker.ask("relay " + relay.port(), PATIENCE).getOrDefault("property", "");
		List<String> all = new ArrayList<>(arguments);
		all.add(property);
		return new RunningReplica(name, relay, new Worker(name, this.jvm
			.command(List.of("-Xms64m", "-Xmx2g", "-XX:+UseG1GC"), this.jvm.classPath(module), BASE + "Replica", all)));
	}

	/** Starts a broker with an empty topic, and waits until it is there. */
	RunningBroker broker() {
		Worker broker = new Worker("the broker", this.jvm.command(List.of("-Xmx512m", "-XX:+UseParallelGC"),
				this.jvm.classPath("broker"), BASE + "broker.BrokerProcess", List.of()));
		return new RunningBroker(broker, broker.answer(PATIENCE).getOrDefault("servers", ""));
	}

	void reset() {
		this.worker.ask("reset", PATIENCE);
	}

	Map<String, String> report() {
		return this.worker.ask("report", PATIENCE);
	}

	void change(int objects) {
		this.worker.ask("change " + objects, CHANGING);
	}

	@Override
	public void close() {
		this.worker.end(PATIENCE);
	}

}
