package dev.reflector.benchmark.runner;

import java.util.ArrayList;
import java.util.List;

import dev.reflector.benchmark.runner.RunningReplica.Report;

/**
 * How several replicas divide the work on one collection.
 */
enum Division {

	/** Each mirrors and delivers everything. */
	EVERYTHING("everything"),

	/** Each mirrors and delivers the shard of its index. */
	FIXED("fixed shares"),

	/** The living replicas divide the slots among them. */
	DYNAMIC("shares by Lease"),

	/** Each mirrors everything, and the leader delivers. */
	LEADER("one leader"),

	/**
	 * The first replica mirrors everything and publishes it to a broker, from which the
	 * others mirror it. Each delivers everything.
	 */
	BROKER("by Kafka");

	/** The number of slots for which the replicas are built. */
	static final int SLOTS = 64;

	private final String title;

	Division(String title) {
		this.title = title;
	}

	String title() {
		return this.title;
	}

	/** The module that the replicas need. */
	String module() {
		return (this == BROKER) ? "broker" : "scaling";
	}

	/**
	 * Arguments of a replica.
	 * @param group name of the group of replicas
	 * @param index the index of the replica
	 * @param count the number of replicas
	 * @param brokers the address of the broker, empty without one
	 */
	List<String> arguments(String group, int index, int count, String brokers) {
		return switch (this) {
			case EVERYTHING -> List.of();
			case FIXED -> List.of("--reflector.sharding.enabled=true", "--reflector.sharding.leases.enabled=false",
					"--reflector.sharding.slots=" + SLOTS, "--reflector.sharding.count=" + count,
					"--reflector.sharding.index=" + index);
			case DYNAMIC -> byLease(group, group + "-" + index);
			case LEADER -> List.of("--reflector.leader-election.enabled=true",
					"--reflector.leader-election.events=leader", "--reflector.leader-election.release-on-cancel=true",
					"--reflector.leader-election.namespace=default", "--reflector.leader-election.name=" + group,
					"--reflector.leader-election.identity=" + group + "-" + index);
			case BROKER -> List.of("--spring.kafka.bootstrap-servers=" + brokers, (index == 0)
					? "--reflector.publish.kafka.topics.workloads=workloads" : "--benchmark.from-topic=true");
		};
	}

	static List<String> byLease(String group, String identity, String... more) {
		List<String> arguments = new ArrayList<>(List.of("--reflector.sharding.enabled=true",
				"--reflector.sharding.assignment=dynamic", "--reflector.sharding.slots=" + SLOTS,
				"--reflector.sharding.leases.namespace=default", "--reflector.sharding.leases.group=" + group,
				"--reflector.sharding.leases.identity=" + identity));
		arguments.addAll(List.of(more));
		return arguments;
	}

	/** Whether listeners have received all objects at the start. */
	boolean hasBegun(List<Report> replicas, int objects) {
		return switch (this) {
			case EVERYTHING, BROKER -> replicas.stream().allMatch((replica) -> replica.number("additions") == objects);
			case FIXED -> sum(replicas, "additions") == objects;
			case DYNAMIC -> isDivided(replicas, objects);
			case LEADER -> sum(replicas, "additions") == objects
					&& replicas.stream().allMatch((replica) -> replica.number("size") == objects);
		};
	}

	/** Whether each slot has an owner, which has delivered all its objects. */
	static boolean isDivided(List<Report> replicas, int objects) {
		return sum(replicas, "owned") == SLOTS && sum(replicas, "told") == objects
				&& replicas.stream()
					.allMatch((replica) -> replica.is("member") && replica.number("owned") > 0
							&& replica.number("owned") == replica.number("desired"));
	}

	/** How many calls of listeners in all replicas belong to one change. */
	int calls(int replicas) {
		return (this == EVERYTHING || this == BROKER) ? replicas : 1;
	}

	static long sum(List<Report> replicas, String name) {
		return replicas.stream().mapToLong((replica) -> replica.number(name)).sum();
	}

}
