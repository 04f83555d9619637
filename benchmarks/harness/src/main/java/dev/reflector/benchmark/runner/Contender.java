package dev.reflector.benchmark.runner;

import java.util.List;

/**
 * A program that is measured.
 *
 * @param name name in the results
 * @param module module with its class path
 * @param mainClass its main class
 * @param group what it is compared as
 * @param arguments arguments besides those that all get
 */
record Contender(String name, String module, String mainClass, Group group, List<String> arguments) {

	private static final String BASE = "dev.reflector.benchmark.";

	static final Contender OURS = ours("reflector", Group.OURS);

	static final Contender TEN = ours("reflector, ten listeners", Group.VARIANT, "variant=ten");

	static final Contender INDEXES = ours("reflector, label indexes", Group.VARIANT, "variant=indexes");

	static final Contender PAGES = ours("reflector, lists in pages", Group.VARIANT, "streaming=false");

	static final List<Contender> CLIENTS = List.of(OURS, client("fabric8", "fabric8.Fabric8Client", true),
			client("official", "official.OfficialClient", true), client("fabric8", "fabric8.Fabric8Client", false),
			client("official", "official.OfficialClient", false));

	static final Contender DRAIN = new Contender("floor: drained", "harness", BASE + "client.DrainFloor", Group.FLOOR,
			List.of());

	static final Contender BIND = new Contender("floor: bound from memory", "reflector", BASE + "reflector.BindFloor",
			Group.FLOOR, List.of());

	static final Contender BIND_SKIPPING = new Contender("floor: bound, the rest skipped", "reflector",
			BASE + "reflector.BindFloor", Group.FLOOR, List.of("skip"));

	private static Contender ours(String name, Group group, String... arguments) {
		return new Contender(name, "reflector", BASE + "reflector.ReflectorClient", group, List.of(arguments));
	}

	private static Contender client(String module, String mainClass, boolean slim) {
		return new Contender(slim ? module + ", slim type" : module + ", own model", module, BASE + mainClass,
				slim ? Group.SLIM : Group.OWN, List.of(slim ? "variant=slim" : "variant=own"));
	}

	/** What a contender is compared as. */
	enum Group {

		/** This project with its default settings. */
		OURS,

		/** This project in another way. */
		VARIANT,

		/** A peer with the type of the same fields. */
		SLIM,

		/** A peer with its own model. */
		OWN,

		/** What the wire or the parser alone takes. */
		FLOOR,

		/** The same empty application without the starter. */
		ABSENT,

		/** Ours without a snapshot, beside ours that writes one. */
		UNSTORED,

		/** Ours that lists, beside ours that is filled from a snapshot. */
		COLD

	}

}
