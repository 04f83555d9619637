package dev.reflector.benchmark.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Measures, and writes {@code results/latest.json} and {@code results/latest.md}, or
 * files with the name of what was asked for.
 */
public final class Runner {

	private static final int STARTUPS = 20;

	/** The oldest virtual machine that is supported. */
	private static final int OLDEST = 17;

	private static final int DURABLE_OBJECTS = 50_000;

	private static final int DURABLE_ROUNDS = 3;

	private static final int GROWTH_ROUNDS = 3;

	private static final int IDLE_ROUNDS = 3;

	private static final int FORMAT_OBJECTS = 50_000;

	private static final int FORMAT_ROUNDS = 3;

	private static final int SETTLED_OBJECTS = 50_000;

	private static final int SETTLED_ROUNDS = 5;

	private static final int LOADED_OBJECTS = 50_000;

	private static final int LOADED_ROUNDS = 10;

	private static final int SURVIVOR_OBJECTS = 50_000;

	private static final int SURVIVOR_SECONDS = 30;

	/** Seconds of building; loading what is needed for it is no part of the budget. */
	private static final int MOST_SPENT = 120;

	private Runner() {
	}

	/**
	 * Measures.
	 * @param args the folder of the benchmarks, and {@code --short}, {@code --full},
	 * {@code --variants}, {@code --durable}, {@code --growth}, {@code --idle},
	 * {@code --formats} (and how many objects), {@code --settled} (and how many rounds,
	 * and in how many minutes), {@code --loaded} (and how many rounds),
	 * {@code --survivors}, {@code --smoke}, {@code --startup} (and how often),
	 * {@code --profile}, or {@code --scaling} with its own options
	 * @throws IOException when the results cannot be written
	 */
	public static void main(String[] args) throws IOException {
		Path root = Path.of(args[0]);
		String option = (args.length > 1) ? args[1] : "--short";
		Jvm jvm = new Jvm(root);
		Figures figures = new Figures();
		switch (option) {
			case "--startup" -> {
				int rounds = number(args, 2, STARTUPS);
				new Startup(jvm, consumers(), figures, rounds).run();
				write(root, "startup", new Report(figures, "", "startup"));
			}
			case "--profile" -> {
				Path recording = Files.createDirectories(root.resolve("results")).resolve("profile.jfr");
				SideBySide.profile(jvm, figures, recording);
				write(root, "profile", new Report(figures, "", "profile"));
			}
			case "--durable" -> {
				new DurableRuns(jvm, figures, DURABLE_OBJECTS, DURABLE_ROUNDS).run();
				write(root, "durable", new Report(figures, "", "durable"));
			}
			case "--growth" -> {
				GrowthRuns growth = new GrowthRuns(jvm, figures, GrowthRuns.COUNTS, GROWTH_ROUNDS);
				growth.run();
				write(root, "growth", new Report(figures, "", "growth"), growth.markdown());
			}
			case "--idle" -> {
				new IdleRuns(jvm, figures, IDLE_ROUNDS).run();
				write(root, named("idle"), new Report(figures, "", "idle"));
			}
			case "--formats" -> {
				int count = number(args, 2, FORMAT_OBJECTS);
				new FormatRuns(jvm, figures, count, FORMAT_ROUNDS).run();
				write(root, named("formats"), new Report(figures, "", "formats"));
			}
			case "--settled" -> {
				int rounds = number(args, 2, SETTLED_ROUNDS);
				int seconds = (args.length > 3) ? SettledRuns.seconds(rounds, Integer.parseInt(args[3]))
						: SettledRuns.SECONDS;
				new SettledRuns(jvm, figures, SETTLED_OBJECTS, rounds, seconds).run();
				write(root, named("settled"), new Report(figures, "", "settled, " + seconds + " s at the lower rate"));
			}
			case "--loaded" -> {
				int rounds = number(args, 2, LOADED_ROUNDS);
				LoadedRuns loaded = new LoadedRuns(jvm, figures, LOADED_OBJECTS, rounds);
				loaded.run();
				write(root, named("loaded"), new Report(figures, "", "loaded"), loaded.markdown());
			}
			case "--survivors" -> {
				SurvivorRuns survivors = new SurvivorRuns(jvm, figures, SURVIVOR_OBJECTS, SURVIVOR_SECONDS);
				survivors.run();
				write(root, named("survivors"), new Report(figures, "", "survivors"), survivors.markdown());
			}
			case "--scaling" -> Scaling.run(root, jvm, List.of(args).subList(2, args.length));
			default -> sideBySide(root, jvm, figures, Scale.of(option));
		}
	}

	private static int number(String[] args, int index, int otherwise) {
		return (args.length > index) ? Integer.parseInt(args[index]) : otherwise;
	}

	private static void sideBySide(Path root, Jvm jvm, Figures figures, Scale scale) throws IOException {
		Duration spent = Duration.ofSeconds(Math.min(Integer.getInteger("spent", 0), MOST_SPENT));
		SideBySide sideBySide = new SideBySide(jvm, scale, figures, spent);
		if (scale.startups() > 0) {
			new Startup(jvm, consumers(), figures, scale.startups()).run();
		}
		String more = "";
		if (scale == Scale.SMOKE) {
			new DurableRuns(jvm, figures, scale.variantPods(), 1).run();
			new GrowthRuns(jvm, figures, List.of(500, 1000), 1).run();
			new IdleRuns(jvm, figures, 5, 1, 1).run();
			new FormatRuns(jvm, figures, scale.variantPods(), 1).run();
			new SettledRuns(jvm, figures, scale.variantPods(), 1, 3).run();
			LoadedRuns loaded = new LoadedRuns(jvm, figures, scale.variantPods(), 1);
			loaded.run();
			SurvivorRuns survivors = new SurvivorRuns(jvm, figures, scale.variantPods(), 2);
			survivors.run();
			more = loaded.markdown() + survivors.markdown();
		}
		String main = sideBySide.run();
		write(root, (scale == Scale.SHORT || scale == Scale.FULL) ? named("latest") : scale.name(),
				new Report(figures, main, scale.name()), more);
	}

	/**
	 * The results of another virtual machine are written next to those of the oldest one.
	 */
	private static String named(String name) {
		int feature = Runtime.version().feature();
		return (feature == OLDEST) ? name : name + "-java" + feature;
	}

	private static Path consumers() {
		return Path.of(System.getProperty("consumers"));
	}

	private static void write(Path root, String name, Report report) throws IOException {
		write(root, name, report, "");
	}

	private static void write(Path root, String name, Report report, String more) throws IOException {
		Path results = Files.createDirectories(root.resolve("results"));
		Files.writeString(results.resolve(name + ".json"), report.json());
		String markdown = report.markdown(more);
		Files.writeString(results.resolve(name + ".md"), markdown);
		System.out.println(markdown);
	}

}
