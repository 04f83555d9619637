package dev.reflector.benchmark.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Measures what several replicas cost each other and the server, and how they take over
 * from each other. Writes {@code results/scaling/NAME.json} and
 * {@code results/scaling/NAME.md}.
 */
final class Scaling {

	private static final String DIVISIONS = "divisions";

	private static final String TAKE_OVER = "take-over";

	private static final List<String> PARTS = List.of(DIVISIONS, TAKE_OVER);

	private final Jvm jvm;

	private final Extent extent;

	private final List<String> parts;

	private final Figures figures = new Figures();

	private Scaling(Jvm jvm, Extent extent, List<String> parts) {
		this.jvm = jvm;
		this.extent = extent;
		this.parts = parts;
	}

	/**
	 * Measures.
	 * @param root folder of the benchmarks
	 * @param jvm starts processes
	 * @param options {@code --short}; {@code --kubeconfig=FILE} for an existing server;
	 * {@code --name=NAME} for the results; {@code --part=divisions} or
	 * {@code --part=take-over} for only one part
	 * @throws IOException when the results cannot be written
	 */
	static void run(Path root, Jvm jvm, List<String> options) throws IOException {
		String kubeconfig = option(options, "--kubeconfig=");
		boolean brief = options.contains("--short");
		String part = option(options, "--part=");
		if (part != null && !PARTS.contains(part)) {
			throw new IllegalArgumentException("unknown part " + part + ": it is one of " + PARTS);
		}
		Scaling scaling = new Scaling(jvm, brief ? Extent.SHORT : Extent.FULL, (part != null) ? List.of(part) : PARTS);
		double load = Machine.load();
		if (kubeconfig != null) {
			scaling.genuine(kubeconfig);
		}
		else {
			scaling.embedded();
		}
		String given = option(options, "--name=");
		String name = (given != null) ? given : ((kubeconfig != null) ? "cluster" : "embedded")
				+ (brief ? "-short" : "") + ((part != null) ? "-" + part : "");
		ScalingReport report = new ScalingReport(scaling.figures, scaling.extent, load, Machine.load());
		Path results = Files.createDirectories(root.resolve("results/scaling"));
		Files.writeString(results.resolve(name + ".json"), report.json());
		Files.writeString(results.resolve(name + ".md"), report.markdown());
		System.out.println(report.markdown());
	}

	private static @Nullable String option(List<String> options, String prefix) {
		return options.stream()
			.filter((option) -> option.startsWith(prefix))
			.map((option) -> option.substring(prefix.length()))
			.findFirst()
			.orElse(null);
	}

	private void embedded() {
		try (ServedCluster cluster = new ServedCluster(this.jvm, null, false, this.extent.objects())) {
			divisions(cluster, "a server that does not filter", Division.values());
			takeOver(cluster);
		}
		if (this.parts.contains(DIVISIONS)) {
			try (ServedCluster cluster = new ServedCluster(this.jvm, null, true, this.extent.objects())) {
				divisions(cluster, "a server that filters", Division.EVERYTHING, Division.FIXED, Division.DYNAMIC);
			}
		}
	}

	private void genuine(String kubeconfig) {
		try (ServedCluster cluster = new ServedCluster(this.jvm, kubeconfig, false, this.extent.objects())) {
			divisions(cluster, "the server of the kubeconfig", Division.values());
			takeOver(cluster);
		}
	}

	private void divisions(ServedCluster cluster, String scenario, Division... divisions) {
		if (!this.parts.contains(DIVISIONS)) {
			return;
		}
		ScalingRuns runs = new ScalingRuns(this.figures, this.extent.changes(), this.extent.rest());
		long end = System.nanoTime() + this.extent.budget().toNanos();
		for (int round = 0; round < this.extent.rounds() && (round == 0 || System.nanoTime() < end); round++) {
			// all other runs are compared with this one
			runs.run(cluster, scenario, Division.EVERYTHING, 1);
			for (Division division : divisions) {
				for (int count : this.extent.replicas()) {
					runs.run(cluster, scenario, division, count);
				}
			}
		}
	}

	private void takeOver(ServedCluster cluster) {
		if (!this.parts.contains(TAKE_OVER)) {
			return;
		}
		new TakeOverRuns(cluster, this.figures, TakeOverRuns.Times.SHORT).run(2 * this.extent.takeOvers());
		new TakeOverRuns(cluster, this.figures, TakeOverRuns.Times.DEFAULT).run(this.extent.takeOvers());
	}

	/**
	 * How much is measured.
	 *
	 * @param name its name
	 * @param objects objects of the collection
	 * @param changes changes of a run
	 * @param rest how long replicas are measured while no object changes
	 * @param replicas numbers of replicas, in addition to one that has everything
	 * @param rounds the maximum number of rounds
	 * @param budget the time after which no further round begins, for each server
	 * @param takeOvers how often a replica is killed with the default times; twice as
	 * often with short ones
	 */
	record Extent(String name, int objects, int changes, Duration rest, List<Integer> replicas, int rounds,
			Duration budget, int takeOvers) {

		static final Extent SHORT = new Extent("short", 5000, 2500, Duration.ofSeconds(4), List.of(4), 1, Duration.ZERO,
				1);

		static final Extent FULL = new Extent("full", 20_000, 10_000, Duration.ofSeconds(5), List.of(2, 4), 3,
				Duration.ofSeconds(100), 2);

	}

}
