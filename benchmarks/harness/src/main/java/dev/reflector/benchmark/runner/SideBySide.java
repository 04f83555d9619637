package dev.reflector.benchmark.runner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import dev.reflector.benchmark.server.Kind;

/**
 * Runs all contenders in turn, round after round, each in a fresh process with the same
 * heap and collector.
 */
final class SideBySide {

	/**
	 * The time for synchronizing and new lists of contenders that need much longer for
	 * events.
	 */
	private static final long LISTS_NANOS = TimeUnit.SECONDS.toNanos(40);

	/** Since which release of Java a training run writes its cache by itself. */
	private static final int AOT_CACHES = 25;

	private final Jvm jvm;

	private final Scale scale;

	private final Figures figures;

	private final long begin;

	/**
	 * Creates the runs.
	 * @param jvm starts them
	 * @param scale what to run
	 * @param figures takes the results
	 * @param spent time of the budget that has gone already
	 */
	SideBySide(Jvm jvm, Scale scale, Figures figures, Duration spent) {
		this.jvm = jvm;
		this.scale = scale;
		this.figures = figures;
		this.begin = System.nanoTime() - spent.toNanos();
	}

	/**
	 * Runs everything.
	 * @return name of the scenario that the targets are about, empty when there is none
	 */
	String run() {
		// contenders that need one run only come first: the rounds use the remaining time
		if (this.scale.retained() > 0) {
			retained();
			new SmallestHeap(this.jvm, this.scale, this::log).measure(this.figures);
		}
		variants();
		for (int widgets : this.scale.widgets()) {
			rounds(Kind.WIDGETS, widgets);
		}
		if (this.scale.thorough()) {
			withMetadata();
			if (Runtime.version().feature() >= AOT_CACHES) {
				withAotCache();
			}
		}
		List<Integer> pods = this.scale.pods();
		for (int i = pods.size() - 1; i >= 0; i--) {
			rounds(Kind.PODS, pods.get(i));
		}
		return pods.isEmpty() ? "" : scenario(Kind.PODS, pods.get(0));
	}

	static void profile(Jvm jvm, Figures figures, Path recording) {
		SideBySide runs = new SideBySide(jvm, Scale.SHORT, figures, Duration.ZERO);
		int count = 10_000;
		try (LoadServerProcess server = new LoadServerProcess(jvm, Kind.PODS, count, 0)) {
			runs.client("profile", Contender.OURS, server, Kind.PODS, count, "warm:50000,profiled:200000",
					"recording=" + recording);
		}
	}

	private static String scenario(Kind kind, int count) {
		return kind.name().toLowerCase(Locale.ROOT) + "-" + count;
	}

	private void retained() {
		int count = this.scale.retained();
		try (LoadServerProcess server = new LoadServerProcess(this.jvm, Kind.PODS, count, 0)) {
			for (int round = 0; round < (this.scale.thorough() ? this.scale.rounds() : 1); round++) {
				for (Contender contender : Contender.CLIENTS) {
					client("retained", contender, server, Kind.PODS, count, "retained", "visible=" + count / 10);
				}
			}
		}
	}

	private void variants() {
		if (this.scale.variants() == 0) {
			return;
		}
		int count = this.scale.variantPods();
		List<Contender> contenders = new ArrayList<>(
				List.of(Contender.OURS, Contender.TEN, Contender.INDEXES, Contender.PAGES));
		try (LoadServerProcess server = new LoadServerProcess(this.jvm, Kind.PODS, count, 0)) {
			for (int round = 0; round < this.scale.variants(); round++) {
				for (Contender contender : contenders) {
					client("variants", contender, server, Kind.PODS, count,
							this.scale.burstPhases(this.scale.otherBurst()), "");
				}
				Collections.rotate(contenders, 1);
			}
		}
	}

	/** Pods whose type has whole metadata. */
	private void withMetadata() {
		int count = this.scale.pods().get(0);
		List<Contender> contenders = new ArrayList<>(Contender.WITH_METADATA);
		try (LoadServerProcess server = new LoadServerProcess(this.jvm, Kind.PODS, count, 0)) {
			for (int round = 0; round < this.scale.rounds(); round++) {
				for (Contender contender : contenders) {
					client("metadata-" + count, contender, server, Kind.PODS, count,
							this.scale.phases(Kind.PODS, contender), "");
				}
				Collections.rotate(contenders, 1);
			}
		}
	}

	/**
	 * Measures the start of this project, with and without a cache that an earlier start
	 * has written.
	 */
	private void withAotCache() {
		int count = this.scale.pods().get(0);
		try {
			Path folder = Files.createTempDirectory("benchmark");
			Path cache = folder.resolve("aot");
			try (LoadServerProcess server = new LoadServerProcess(this.jvm, Kind.PODS, count, 0)) {
				List<String> arguments = arguments(Contender.CACHED, server, Kind.PODS, count, "");
				cached(Contender.CACHED, count, List.of("-XX:AOTCacheOutput=" + cache), arguments);
				for (int round = 0; round < this.scale.rounds(); round++) {
					this.figures.add("aot-" + count, Contender.OURS.name(),
							cached(Contender.OURS, count, List.of(), arguments));
					this.figures.add("aot-" + count, Contender.CACHED.name(),
							cached(Contender.CACHED, count, List.of("-XX:AOTCache=" + cache), arguments));
				}
			}
			finally {
				Files.deleteIfExists(cache);
				Files.delete(folder);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Map<String, Double> cached(Contender contender, int count, List<String> cache, List<String> arguments) {
		log("aot-" + count + ": " + contender.name());
		List<String> options = options(contender, count);
		options.addAll(cache);
		// the training run writes its cache when it has ended
		return this.jvm.run(
				this.jvm.command(options, this.jvm.jars(contender.module()), contender.mainClass(), arguments),
				this.scale.timeout().plusSeconds(60));
	}

	private void rounds(Kind kind, int count) {
		List<Contender> contenders = new ArrayList<>(Contender.CLIENTS);
		contenders.addAll(Contender.BARE);
		contenders.add(Contender.DRAIN);
		contenders.add(Contender.BIND);
		contenders.add(Contender.BIND_SKIPPING);
		Map<Contender, Long> whole = new HashMap<>();
		try (LoadServerProcess server = new LoadServerProcess(this.jvm, kind, count, 0)) {
			for (int round = 0; round < this.scale.rounds(); round++) {
				for (Contender contender : contenders) {
					long before = System.nanoTime();
					if (round == 0 || isTimeFor(Objects.requireNonNull(whole.get(contender)), kind, contender)) {
						contend(contender, server, kind, count, true);
						whole.merge(contender, System.nanoTime() - before, Math::max);
					}
					else if (kind == Kind.PODS && isPrecise(contender) && isTimeFor(LISTS_NANOS)) {
						contend(contender, server, kind, count, false);
					}
				}
				// no contender always runs after the same one
				Collections.rotate(contenders, 1);
			}
		}
	}

	/** Contenders that need much longer than others get one whole run only. */
	private boolean isTimeFor(long nanos, Kind kind, Contender contender) {
		boolean repeated = (kind == Kind.PODS) ? this.scale.isAhead(kind, contender) : isPrecise(contender);
		return this.scale.thorough() || (repeated && nanos < this.scale.budget().toNanos() / 10 && isTimeFor(nanos));
	}

	private boolean isTimeFor(long nanos) {
		return System.nanoTime() - this.begin + nanos < this.scale.budget().toNanos();
	}

	/** Contenders that are far behind, floors included, need less precision. */
	private boolean isPrecise(Contender contender) {
		return contender.group() == Contender.Group.OURS || contender.group() == Contender.Group.SLIM;
	}

	private void contend(Contender contender, LoadServerProcess server, Kind kind, int count, boolean whole) {
		String scenario = scenario(kind, count);
		String events = Integer.toString(this.scale.floorBurst(kind));
		if (contender == Contender.DRAIN) {
			run(scenario, contender, count, List.of(server.url(), kind.name(), events));
		}
		else if (contender.group() == Contender.Group.FLOOR) {
			List<String> arguments = new ArrayList<>(List.of(kind.name(), Integer.toString(count), events));
			arguments.addAll(contender.arguments());
			run(scenario, contender, count, arguments);
		}
		else {
			client(scenario, contender, server, kind, count,
					whole ? this.scale.phases(kind, contender) : this.scale.lists(), "");
		}
	}

	private void client(String scenario, Contender contender, LoadServerProcess server, Kind kind, int count,
			String phases, String more) {
		List<String> arguments = arguments(contender, server, kind, count, phases);
		arguments.add(more);
		run(scenario, contender, count, arguments);
	}

	private List<String> arguments(Contender contender, LoadServerProcess server, Kind kind, int count, String phases) {
		List<String> arguments = new ArrayList<>(List.of("server=" + server.url(), "kind=" + kind.name(),
				"count=" + count, "phases=" + phases, "timeout=" + this.scale.timeout().toSeconds()));
		arguments.addAll(contender.arguments());
		return arguments;
	}

	private void run(String scenario, Contender contender, int count, List<String> arguments) {
		log(scenario + ": " + contender.name());
		Map<String, Double> values = this.jvm.run(this.jvm.command(options(contender, count),
				this.jvm.classPath(contender.module()), contender.mainClass(), arguments),
				this.scale.timeout().plusSeconds(5));
		if (values.isEmpty()) {
			log(scenario + ": " + contender.name() + " did not complete");
			this.figures.incomplete(scenario, contender.name());
		}
		this.figures.add(scenario, contender.name(), values);
	}

	private static List<String> options(Contender contender, int count) {
		List<String> options = new ArrayList<>(
				List.of("-Xms64m", "-Xmx" + ((count > 50_000) ? 6 : 4) + "g", "-XX:+UseG1GC"));
		options.addAll(contender.options());
		return options;
	}

	private void log(String message) {
		System.err.println("[" + (System.nanoTime() - this.begin) / 1_000_000_000L + " s] " + message);
	}

}
