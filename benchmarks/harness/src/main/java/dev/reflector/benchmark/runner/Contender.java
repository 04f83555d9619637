package dev.reflector.benchmark.runner;

import java.util.List;

/**
 * A program that is measured.
 *
 * @param name the name in the results
 * @param module the module with its class path
 * @param mainClass its main class
 * @param group the group with which it is compared
 * @param arguments arguments in addition to those of all contenders
 */
record Contender(String name, String module, String mainClass, Group group, List<String> arguments) {

	private static final String BASE = "dev.reflector.benchmark.";

	static final Contender OURS = ours("reflector", Group.OURS);

	static final Contender TEN = ours("reflector, ten listeners", Group.VARIANT, "variant=ten");

	static final Contender INDEXES = ours("reflector, label indexes", Group.VARIANT, "variant=indexes");

	static final Contender VIRTUAL = ours("reflector, virtual threads", Group.VARIANT,
			"--spring.threads.virtual.enabled=true");

	static final Contender PAGES = ours("reflector, lists in pages", Group.VARIANT, "streaming=false");

	static final Contender CACHED = ours("reflector, AOT cache", Group.VARIANT);

	/** Each in a Spring Boot application. */
	static final List<Contender> CLIENTS = List.of(OURS, fabric8("slim type", Group.SLIM, "variant=slim"),
			official("slim type", Group.SLIM, "variant=slim"), fabric8("own model", Group.OWN, "variant=own"),
			official("own model", Group.OWN, "variant=own"));

	/** Without Spring. */
	static final List<Contender> BARE = List.of(fabric8("slim type, bare process", Group.BARE, "variant=slim", "bare"),
			official("slim type, bare process", Group.BARE, "variant=slim", "bare"));

	/** Each in a Spring Boot application. */
	static final List<Contender> WITH_METADATA = List.of(ours("reflector", Group.OURS, "variant=metadata"),
			fabric8("slim type", Group.SLIM, "variant=metadata"),
			official("slim type", Group.SLIM, "variant=metadata"));

	/** The peer with the best figures for events. */
	static final Contender BEST_PEER = official("slim type", Group.SLIM);

	static final Contender DRAIN = new Contender("floor: drained", "harness", BASE + "client.DrainFloor", Group.WIRE,
			List.of());

	static final Contender BIND = new Contender("floor: bound from memory", "reflector", BASE + "reflector.BindFloor",
			Group.FLOOR, List.of());

	static final Contender BIND_SKIPPING = new Contender("floor: bound, the rest skipped", "reflector",
			BASE + "reflector.BindFloor", Group.FLOOR, List.of("skip"));

	private static Contender ours(String name, Group group, String... arguments) {
		return new Contender(name, "reflector", BASE + "reflector.ReflectorClient", group, List.of(arguments));
	}

	private static Contender fabric8(String type, Group group, String... arguments) {
		return new Contender("fabric8, " + type, "fabric8", BASE + "fabric8.Fabric8Client", group, List.of(arguments));
	}

	private static Contender official(String type, Group group, String... arguments) {
		return new Contender("official, " + type, "official", BASE + "official.OfficialClient", group,
				List.of(arguments));
	}

	Contender with(String argument) {
		return new Contender(this.name, this.module, this.mainClass, this.group, List.of(argument));
	}

	/** Selects one of the two logging libraries on the class path of a peer. */
	List<String> options() {
		return List.of("-Dslf4j.provider=" + ((this.group == Group.BARE) ? "org.slf4j.nop.NOPServiceProvider"
				: "ch.qos.logback.classic.spi.LogbackServiceProvider"));
	}

	/** The group with which a contender is compared. */
	enum Group {

		/** This project with its default settings. */
		OURS,

		/** This project in another way. */
		VARIANT,

		/** A peer with the type of the same fields. */
		SLIM,

		/** A peer with its own model. */
		OWN,

		/** A peer with the type of the same fields, in a process without Spring. */
		BARE,

		/** The cost of the network, with a client that ignores the content. */
		WIRE,

		/** The cost of the parser alone. */
		FLOOR,

		/** An empty application without the starter. */
		ABSENT,

		/** This project without a snapshot, compared with itself writing one. */
		UNSTORED,

		/** This project that lists, compared with itself filled from a snapshot. */
		COLD,

		/** This project in JSON, compared with itself in protobuf. */
		JSON,

		/**
		 * This project, compared only with the peer that has the best figures for events.
		 */
		NEAREST

	}

}
