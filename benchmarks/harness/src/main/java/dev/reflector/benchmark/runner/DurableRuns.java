package dev.reflector.benchmark.runner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.reflector.benchmark.server.Kind;

import org.jspecify.annotations.Nullable;

/**
 * Measures what a snapshot costs, and what it saves at the next start. The same
 * application runs on the same class path without a snapshot, then writing a snapshot to
 * a SQLite file, and then started from that file, each in a separate process.
 */
final class DurableRuns {

	static final String SCENARIO = "durable";

	/** The scenario that measures the heap of each object. */
	private static final String RETAINED = "durable-retained";

	static final Contender PLAIN = contender("without a snapshot");

	static final Contender STORING = contender("with a snapshot");

	static final Contender RESTORED = contender("started again");

	private static final Duration TIMEOUT = Duration.ofMinutes(4);

	private static final int EVENTS_OF_AN_OBJECT = 8;

	private final Jvm jvm;

	private final Figures figures;

	private final int count;

	private final int rounds;

	/**
	 * Creates the measurement.
	 * @param jvm starts processes
	 * @param figures takes the results
	 * @param count how many pods are mirrored
	 * @param rounds how often each runs
	 */
	DurableRuns(Jvm jvm, Figures figures, int count, int rounds) {
		this.jvm = jvm;
		this.figures = figures;
		this.count = count;
		this.rounds = rounds;
	}

	private static Contender contender(String name) {
		return new Contender(name, "durable", "dev.reflector.benchmark.reflector.ReflectorClient",
				Contender.Group.VARIANT, List.of());
	}

	void run() {
		try (LoadServerProcess server = new LoadServerProcess(this.jvm, Kind.PODS, this.count, 0)) {
			for (int round = 0; round < this.rounds; round++) {
				// neither is always the one that comes after the other
				if (round % 2 == 0) {
					plain(server);
					durable(server);
				}
				else {
					durable(server);
					plain(server);
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void plain(LoadServerProcess server) {
		run(SCENARIO, PLAIN, server, phases(), null, "stop=true");
		run(RETAINED, PLAIN, server, "retained", null, visible());
	}

	private void durable(LoadServerProcess server) throws IOException {
		inFolder((file) -> {
			run(SCENARIO, STORING, server, phases(), file, "stop=true");
			run(SCENARIO, RESTORED, server, "", file, "restored=true");
		});
		// the commits of more objects take longer
		inFolder((file) -> run(RETAINED, STORING, server, "retained", file, visible(), "settle=" + this.count / 1600));
	}

	private void inFolder(Consumer<Path> runs) throws IOException {
		Path folder = Files.createTempDirectory("benchmark-snapshot");
		Path file = folder.resolve("snapshot.db");
		try {
			runs.accept(file);
		}
		finally {
			for (String end : List.of("", "-wal", "-shm", ".lock")) {
				Files.deleteIfExists(folder.resolve("snapshot.db" + end));
			}
			Files.delete(folder);
		}
	}

	/**
	 * Shows a tenth of the objects at first; the others show the memory of one object.
	 */
	private String visible() {
		return "visible=" + this.count / 10;
	}

	private String phases() {
		int events = this.count * EVENTS_OF_AN_OBJECT;
		return "warm:" + events / EVENTS_OF_AN_OBJECT + ",burst:" + events;
	}

	private void run(String scenario, Contender contender, LoadServerProcess server, String phases, @Nullable Path file,
			String... more) {
		System.err.println(scenario + ": " + contender.name());
		List<String> arguments = new ArrayList<>(
				List.of("server=" + server.url(), "kind=" + Kind.PODS, "count=" + this.count, "phases=" + phases,
						"timeout=" + TIMEOUT.toSeconds(), "--reflector.events.on-error=retry-then-stop"));
		arguments.addAll(List.of(more));
		if (file != null) {
			arguments.add("--reflector.snapshot.enabled=true");
			arguments.add("--reflector.snapshot.jdbc.file=" + file);
		}
		Map<String, Double> values = this.jvm.run(contender, List.of("-Xms64m", "-Xmx4g", "-XX:+UseG1GC"), arguments,
				TIMEOUT.plusSeconds(5));
		if (values.isEmpty()) {
			this.figures.incomplete(scenario, contender.name());
		}
		this.figures.add(scenario, contender.name(), values);
	}

}
