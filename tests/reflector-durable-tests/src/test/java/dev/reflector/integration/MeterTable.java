package dev.reflector.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.reflector.fixture.SourceTree;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;

/**
 * The table of meters in the guide, for comparison with what an application has.
 */
final class MeterTable {

	private static final Path PAGE = SourceTree.ROOT.resolve("docs").resolve("reference.md");

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	private MeterTable() {
	}

	/** The meters of the guide, one for each row. */
	static List<Row> documented() throws IOException {
		return Pattern.compile("(?s)<!-- generated: meters -->.*?<!-- end of meters -->")
			.matcher(Files.readString(PAGE))
			.results()
			.flatMap((found) -> found.group().lines())
			.filter((line) -> line.startsWith("| `reflector."))
			.map(MeterTable::row)
			.toList();
	}

	private static Row row(String line) {
		String[] cells = line.split(" *\\| *", -1);
		Map<String, Set<String>> tags = new LinkedHashMap<>();
		for (String tag : cells[4].split(", ")) {
			List<String> words = CODE.matcher(tag).results().map((word) -> word.group(1)).toList();
			if (!words.isEmpty()) {
				tags.put(words.get(0), new LinkedHashSet<>(words.subList(1, words.size())));
			}
		}
		return new Row(cells[1].replace("`", ""), cells[2], tags);
	}

	/** The meters of reflectors in a registry. */
	static List<Row> registered(MeterRegistry registry) {
		Map<String, List<Meter>> meters = registry.getMeters()
			.stream()
			.filter((meter) -> meter.getId().getName().startsWith("reflector."))
			.collect(Collectors.groupingBy((meter) -> meter.getId().getName()));
		return meters.entrySet().stream().map((entry) -> row(entry.getKey(), entry.getValue())).toList();
	}

	private static Row row(String name, List<Meter> meters) {
		Map<String, Set<String>> tags = new LinkedHashMap<>();
		for (Meter meter : meters) {
			for (Tag tag : meter.getId().getTags()) {
				tags.computeIfAbsent(tag.getKey(), (key) -> new LinkedHashSet<>()).add(tag.getValue());
			}
		}
		return new Row(name, kind(meters.get(0)), tags);
	}

	private static String kind(Meter meter) {
		return switch (meter.getId().getType()) {
			case GAUGE -> "gauge";
			case COUNTER -> "counter";
			case TIMER -> "timer";
			case DISTRIBUTION_SUMMARY -> "summary";
			default -> "?";
		};
	}

	/**
	 * A meter.
	 *
	 * @param name its name
	 * @param kind its kind
	 * @param tags the values of its tags
	 */
	record Row(String name, String kind, Map<String, Set<String>> tags) {

	}

}
