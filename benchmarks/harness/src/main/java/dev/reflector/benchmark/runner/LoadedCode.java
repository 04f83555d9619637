package dev.reflector.benchmark.runner;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The classes and methods that a JVM has loaded and compiled in each of several time
 * windows, read from its log.
 */
final class LoadedCode {

	/** A line {@code [NANOSns][class,load] NAME source: SOURCE}. */
	private static final Pattern LOADED = Pattern
		.compile("\\[(\\d+)ns\\]\\[class,load\\s*\\] (\\S+) source: (.*?)\\s*");

	/**
	 * A line {@code [NANOSns][jit,compilation] ID FLAGS TIER CLASS::METHOD (N bytes)}.
	 */
	private static final Pattern COMPILED = Pattern
		.compile("\\[(\\d+)ns\\]\\[jit,compilation\\s*\\]\\s+\\d+\\s+[ %sbn!]*?([1-4])\\s+(\\S+)::.*bytes\\)\\s*");

	private static final String ARCHIVE = "shared objects file";

	private static final int OPTIMIZED = 4;

	private final Map<String, Map<CodeGroup, Map<Unit, Integer>>> windows = new LinkedHashMap<>();

	/** The end of each window and its name. The first one begins with the process. */
	private final TreeMap<Long, String> ends;

	private LoadedCode(Map<String, Long> ends) {
		this.ends = new TreeMap<>();
		ends.forEach((name, nanos) -> {
			this.ends.put(nanos, name);
			this.windows.put(name, new EnumMap<>(CodeGroup.class));
		});
	}

	/** The option that makes a JVM write the log. */
	static String option(Path log) {
		return "-Xlog:class+load=info,jit+compilation=debug:file=" + log + ":timenanos,tags:filecount=0";
	}

	/**
	 * Reads a log.
	 * @param log the file
	 * @param ends by name of each window, when it ends: nanoseconds as
	 * {@link System#nanoTime()} counts them in all processes of this machine
	 * @return the code
	 * @throws IOException when the file cannot be read
	 */
	static LoadedCode read(Path log, Map<String, Long> ends) throws IOException {
		LoadedCode code = new LoadedCode(ends);
		try (BufferedReader reader = Files.newBufferedReader(log)) {
			for (String line = reader.readLine(); line != null; line = reader.readLine()) {
				code.count(line);
			}
		}
		return code;
	}

	private void count(String line) {
		Matcher loaded = LOADED.matcher(line);
		if (loaded.matches()) {
			add(loaded, loaded.group(2), loaded.group(3).startsWith(ARCHIVE) ? Unit.ARCHIVED : Unit.CLASSES);
			return;
		}
		Matcher compiled = COMPILED.matcher(line);
		if (compiled.matches()) {
			add(compiled, compiled.group(3),
					(Integer.parseInt(compiled.group(2)) == OPTIMIZED) ? Unit.SECOND : Unit.FIRST);
		}
	}

	private void add(Matcher line, String className, Unit unit) {
		Map.Entry<Long, String> window = this.ends.ceilingEntry(Long.valueOf(line.group(1)));
		if (window != null) {
			this.windows.get(window.getValue())
				.computeIfAbsent(CodeGroup.of(className), (group) -> new EnumMap<>(Unit.class))
				.merge(unit, 1, Integer::sum);
		}
	}

	/**
	 * The figures of a window.
	 * @param window its name
	 * @return how many, by unit and group, and the sums
	 */
	Map<String, Double> figures(String window) {
		Map<String, Double> figures = new LinkedHashMap<>();
		for (Unit unit : Unit.values()) {
			double sum = 0;
			for (CodeGroup group : CodeGroup.values()) {
				int count = this.windows.getOrDefault(window, Map.of())
					.getOrDefault(group, Map.of())
					.getOrDefault(unit, 0);
				if (count > 0) {
					figures.put(figure(unit, group.label()), (double) count);
				}
				sum += count;
			}
			figures.put(figure(unit, "all"), sum);
		}
		return figures;
	}

	static String figure(Unit unit, String group) {
		return unit.label() + "/" + group;
	}

	/** The unit that is counted. */
	enum Unit {

		/** Classes that are read, checked and linked. */
		CLASSES("classes"),

		/** Classes that come ready from the archive of the JDK, and cost little. */
		ARCHIVED("archivedClasses"),

		/** Methods compiled by the first compiler, C1. */
		FIRST("methodsC1"),

		/** Methods compiled by the second compiler, C2. */
		SECOND("methodsC2");

		private final String label;

		Unit(String label) {
			this.label = label;
		}

		String label() {
			return this.label;
		}

	}

}
