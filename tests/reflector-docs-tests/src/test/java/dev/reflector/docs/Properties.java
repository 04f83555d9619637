package dev.reflector.docs;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.ClassUtils;

/**
 * The properties of all modules, as the configuration metadata of their jars has them.
 */
final class Properties {

	/** Headings by the beginning of names. The longest one that fits decides. */
	private static final Map<String, String> HEADINGS = new LinkedHashMap<>();

	static {
		HEADINGS.put("reflector.api-server.", "Where the API server is");
		HEADINGS.put("reflector.", "Lists and watches");
		HEADINGS.put("reflector.backoff.", "Delays");
		HEADINGS.put("reflector.events.", "Queues and events");
		HEADINGS.put("reflector.queue.", "Queues and events");
		HEADINGS.put("management.", "The application");
		HEADINGS.put("reflector.enabled", "The application");
		HEADINGS.put("reflector.health.", "The application");
		HEADINGS.put("reflector.keep-alive", "The application");
		HEADINGS.put("reflector.startup.", "The application");
		HEADINGS.put("reflector.resources.", "One reflector");
		HEADINGS.put("reflector.snapshot.", "Durable mirrors");
		HEADINGS.put("reflector.snapshot.jdbc.", "Where snapshots are kept");
		HEADINGS.put("reflector.leader-election.", "Leader election");
		HEADINGS.put("reflector.sharding.", "Sharding");
		HEADINGS.put("management.endpoint.reflectorkafka.", "Publishing to Kafka");
		HEADINGS.put("management.health.reflector-kafka.", "Publishing to Kafka");
		HEADINGS.put("reflector.publish.kafka.", "Publishing to Kafka");
		HEADINGS.put("reflector.console.", "The console");
		HEADINGS.put("reflector.test.", "Tests");
	}

	/** The module that is needed in addition to the starter, by heading. */
	private static final Map<String, String> MODULES = Map.of("Where snapshots are kept", "reflector-snapshot-jdbc",
			"Publishing to Kafka", "reflector-kafka", "The console", "reflector-spring-boot-console", "Tests",
			"reflector-spring-boot-test");

	private static final Map<String, String> TYPES = Map.ofEntries(Map.entry("java.lang.String", "text"),
			Map.entry("java.net.URI", "URL"), Map.entry("java.nio.file.Path", "file"),
			Map.entry("java.lang.Boolean", "`true` or `false`"), Map.entry("java.lang.Integer", "number"),
			Map.entry("java.lang.Long", "number"), Map.entry("java.lang.Short", "number"),
			Map.entry("java.lang.Double", "number"), Map.entry("java.time.Duration", "duration"),
			Map.entry("org.springframework.util.unit.DataSize", "size"),
			Map.entry("java.util.List<java.lang.String>", "list"), Map.entry("java.util.Set<java.lang.String>", "list"),
			Map.entry("java.util.Map<java.lang.String,java.lang.String>", "text by name"),
			Map.entry("java.util.Map<java.lang.String,java.util.Set<java.lang.String>>", "list by name"));

	private final Map<String, JsonNode> properties = new TreeMap<>();

	private final List<JsonNode> hints = new ArrayList<>();

	static Properties ofAllModules() throws IOException {
		Properties all = new Properties();
		List<URL> metadata = Collections
			.list(Properties.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"));
		for (URL file : metadata) {
			try (InputStream content = file.openStream()) {
				all.add(JsonMapper.shared().readTree(content));
			}
		}
		return all;
	}

	private void add(JsonNode metadata) {
		metadata.path("properties")
			.valueStream()
			.filter((property) -> isOurs(property.path("name").asString()))
			.forEach((property) -> this.properties.put(property.path("name").asString(), property));
		metadata.path("hints")
			.valueStream()
			.filter((hint) -> isOurs(hint.path("name").asString()))
			.forEach(this.hints::add);
	}

	private static boolean isOurs(String name) {
		return name.matches("(reflector|management)\\..*") && name.contains("reflector")
				|| name.matches("management\\.health\\.(leader-election|shards)\\.enabled");
	}

	List<String> names() {
		return this.properties.keySet()
			.stream()
			.filter((name) -> !name.equals("reflector.resources"))
			.map(Properties::printed)
			.toList();
	}

	List<String> table() {
		Map<String, List<String>> sections = new LinkedHashMap<>();
		HEADINGS.values().forEach((heading) -> sections.put(heading, new ArrayList<>()));
		this.properties.forEach((name, property) -> {
			if (!name.equals("reflector.resources")) {
				Objects.requireNonNull(sections.get(heading(name))).add(row(name, property));
			}
		});
		List<String> lines = new ArrayList<>();
		sections.forEach((heading, rows) -> {
			if (!rows.isEmpty()) {
				lines.addAll(List.of("### " + heading, ""));
				if (MODULES.containsKey(heading)) {
					lines.addAll(List.of("With `" + MODULES.get(heading) + "` on the class path.", ""));
				}
				lines.addAll(List.of("| property | type | default | |", "| --- | --- | --- | --- |"));
				lines.addAll(rows);
				lines.add("");
			}
		});
		return lines.subList(0, lines.size() - 1);
	}

	/** Returns the meaning of each value of an enum. */
	List<String> values() {
		Map<String, String> rows = new TreeMap<>();
		for (JsonNode hint : this.hints) {
			String name = hint.path("name").asString();
			String values = hint.path("values")
				.valueStream()
				.map((value) -> "| `" + name + "` | `" + value.path("value").asString() + "` | "
						+ value.path("description").asString() + " |")
				.collect(Collectors.joining("\n"));
			rows.put(name, values);
		}
		List<String> lines = new ArrayList<>(List.of("| property | value | |", "| --- | --- | --- |"));
		rows.values().stream().flatMap(String::lines).forEach(lines::add);
		return lines;
	}

	private static String heading(String name) {
		return HEADINGS.entrySet()
			.stream()
			.filter((entry) -> name.startsWith(entry.getKey()))
			.max((one, other) -> Integer.compare(one.getKey().length(), other.getKey().length()))
			.orElseThrow(() -> new AssertionError("no heading for " + name))
			.getValue();
	}

	private static String row(String name, JsonNode property) {
		String value = property.path("defaultValue").asString("");
		return "| `" + printed(name) + "` | " + type(property) + " | " + (value.isEmpty() ? "" : "`" + value + "`")
				+ " | " + property.path("description").asString() + " |";
	}

	private static String printed(String name) {
		return name.replace("*", "<name>");
	}

	private static String type(JsonNode property) {
		String name = property.path("type").asString();
		String type = TYPES.get(name);
		if (type != null) {
			return type;
		}
		Object[] constants = ClassUtils.resolveClassName(name, null).getEnumConstants();
		if (constants == null) {
			throw new AssertionError("no word for the type " + name);
		}
		return Arrays.stream(constants)
			.map((constant) -> "`" + ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-') + "`")
			.collect(Collectors.joining(", "));
	}

}
