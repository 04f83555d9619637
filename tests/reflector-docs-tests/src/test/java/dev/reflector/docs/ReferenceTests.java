package dev.reflector.docs;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.reflector.ReflectedResource;
import dev.reflector.ReflectorState;
import dev.reflector.actuate.endpoint.ReflectorDescriptor;
import dev.reflector.actuate.health.LeaderElectionHealthIndicator;
import dev.reflector.actuate.health.ReflectorHealthIndicator;
import dev.reflector.actuate.health.ShardMembershipHealthIndicator;
import dev.reflector.fixture.GeneratedTable;
import dev.reflector.fixture.SourceTree;
import dev.reflector.kafka.KafkaPublishersEndpoint;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code docs/reference.md} is what the code says. With
 * {@code -Dreflector.docs.write=true} it is written.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReferenceTests {

	private static final String PAGE = "reference.md";

	private static final Pattern METER = Pattern.compile("\"(reflector(?:\\.[a-z]+)+)\"");

	private static ReferenceApplication application;

	@BeforeAll
	static void startApplication(@TempDir Path directory) {
		application = ReferenceApplication.start(directory);
		application.awaitMirror();
	}

	@AfterAll
	static void stopApplication() {
		application.close();
	}

	@Test
	void properties() throws IOException {
		Properties properties = Properties.ofAllModules();
		GeneratedTable.check(PAGE, "properties", properties.table());
		GeneratedTable.check(PAGE, "values", properties.values());
		assertThat(firstCells("properties")).containsExactlyInAnyOrderElementsOf(properties.names())
			.hasSizeGreaterThan(110);
	}

	@Test
	void keysOfTheEndpoints() throws Exception {
		JsonKeys reflector = JsonKeys.of(ReflectorDescriptor.class);
		JsonKeys comparison = JsonKeys.of(hidden("dev.reflector.actuate.endpoint.ConsistencyDescriptor"));
		JsonKeys refusal = JsonKeys.of(hidden("dev.reflector.actuate.endpoint.ReflectorOperations$Refusal"));
		JsonKeys publisher = JsonKeys.of(KafkaPublishersEndpoint.Entry.class);
		List<String> lines = new ArrayList<>();
		section(lines, "One reflector",
				"`GET /actuator/reflectors/{name}`, and each entry of `reflectors` in the answer"
						+ " to `GET /actuator/reflectors`. Unknown values are `null`, or left out.",
				reflector);
		section(lines, "A comparison", "The answer to the operation `verify`.", comparison);
		section(lines, "A refusal", "The answer to an operation that cannot be carried out, with the status 409.",
				refusal);
		section(lines, "One publisher",
				"`GET /actuator/reflectorkafka/{reflector}`, and each entry of `publishers` in the"
						+ " answer to `GET /actuator/reflectorkafka`.",
				publisher);
		GeneratedTable.check(PAGE, "endpoint", lines.subList(0, lines.size() - 1));
		JsonNode all = application.get("reflectors");
		assertThat(all.propertyNames()).containsExactly("reflectors");
		assertAnswer(all.at("/reflectors/widgets"), reflector, "snapshot.cursors.");
		assertAnswer(application.order("reflectors/widgets", "verify"), comparison, "-");
		assertThat(JsonKeys.in(application.order("reflectors/widgets", "reset-snapshot"))).isEqualTo(refusal.names());
		JsonNode publishers = application.get("reflectorkafka");
		assertThat(publishers.propertyNames()).containsExactly("publishers");
		assertThat(publisher.names()).containsAll(JsonKeys.in(publishers.at("/publishers/widgets")));
		assertThat(JsonKeys.in(publishers.at("/publishers/widgets"))).contains("topic", "published.added", "refused");
	}

	/**
	 * Each key of the table is in the answer, and each key of the answer in the table.
	 */
	private static void assertAnswer(JsonNode answer, JsonKeys keys, String named) {
		Set<String> answered = JsonKeys.in(answer);
		answered.removeIf((key) -> key.startsWith(named));
		assertThat(keys.names()).containsAll(answered);
		Set<String> missing = new TreeSet<>(keys.names());
		missing.removeAll(answered);
		missing.removeAll(keys.optional());
		// keys of objects that are null or empty here
		missing.removeIf((key) -> isEmpty(answer, key.substring(0, Math.max(0, key.lastIndexOf('.')))));
		assertThat(missing).isEmpty();
	}

	private static boolean isEmpty(JsonNode answer, String path) {
		JsonNode node = answer;
		for (String part : path.isEmpty() ? new String[0] : path.replace("[]", ".0").split("\\.")) {
			node = part.equals("0") ? node.path(0) : node.path(part);
		}
		return node.isNull() || node.isMissingNode();
	}

	private static void section(List<String> lines, String heading, String text, JsonKeys keys) {
		lines.addAll(List.of("### " + heading, "", text, "", "| key | type | is |", "| --- | --- | --- |"));
		lines.addAll(keys.table());
		lines.add("");
	}

	private static Class<?> hidden(String name) {
		return ClassUtils.resolveClassName(name, ReferenceTests.class.getClassLoader());
	}

	@Test
	void meters() throws IOException {
		Map<String, List<Meter.Id>> registered = application.meters()
			.getMeters()
			.stream()
			.map(Meter::getId)
			.filter((id) -> id.getName().startsWith("reflector."))
			.collect(Collectors.groupingBy(Meter.Id::getName, TreeMap::new, Collectors.toList()));
		// ReflectorMetricsTests holds this table
		Set<String> ofReflectors = firstCells("meters");
		List<String> lines = new ArrayList<>();
		lines.add("| meter | kind | unit | tags | is |");
		lines.add("| --- | --- | --- | --- | --- |");
		registered.forEach((name, ids) -> {
			if (!ofReflectors.contains(name)) {
				lines.add("| `" + name + "` | " + kind(ids.get(0)) + " | "
						+ ((ids.get(0).getBaseUnit() != null) ? ids.get(0).getBaseUnit() : "") + " | " + tags(ids)
						+ " | " + ids.get(0).getDescription() + " |");
			}
		});
		GeneratedTable.check(PAGE, "other meters", lines);
		Set<String> documented = new TreeSet<>(firstCells("other meters"));
		assertThat(documented).isNotEmpty().doesNotContainAnyElementsOf(ofReflectors);
		documented.addAll(ofReflectors);
		assertThat(documented).containsAll(registered.keySet()).containsExactlyInAnyOrderElementsOf(inTheSources());
	}

	/** Names of meters where the library makes them. */
	private static Set<String> inTheSources() throws IOException {
		return SourceTree.files(SourceDoc.ROOT)
			.stream()
			.filter((file) -> file.toString().contains("/src/main/java/") && file.toString().endsWith(".java"))
			.filter((file) -> !file.toString().matches(".*/samples/.*|.*AutoConfiguration\\.java"))
			.map(SourceDoc::read)
			.filter((source) -> source.contains("io.micrometer.core.instrument."))
			.flatMap((source) -> METER.matcher(source).results())
			.map((match) -> match.group(1))
			.collect(Collectors.toSet());
	}

	private static String kind(Meter.Id id) {
		return switch (id.getType()) {
			case GAUGE -> "gauge";
			case COUNTER -> "counter";
			case TIMER -> "timer";
			default -> throw new AssertionError("no word for " + id.getType());
		};
	}

	private static String tags(List<Meter.Id> ids) {
		Map<String, Set<String>> tags = new LinkedHashMap<>();
		for (Meter.Id id : ids) {
			for (Tag tag : id.getTags()) {
				tags.computeIfAbsent(tag.getKey(), (key) -> new TreeSet<>()).add(tag.getValue());
			}
		}
		return tags.entrySet()
			.stream()
			.map((tag) -> "`" + tag.getKey() + "`"
					+ ((tag.getValue().size() > 1) ? ": "
							+ tag.getValue().stream().map((value) -> "`" + value + "`").collect(Collectors.joining(" "))
							: ""))
			.collect(Collectors.joining(", "));
	}

	@Test
	void attributesOfTheAnnotation() throws IOException {
		SourceDoc doc = SourceDoc.of(ReflectedResource.class);
		Map<String, String> rows = new LinkedHashMap<>();
		Method[] attributes = ReflectedResource.class.getDeclaredMethods();
		Arrays.stream(attributes)
			.sorted((one, other) -> position(doc, one) - position(doc, other))
			.forEach((attribute) -> {
				String text = doc.attribute(attribute.getName());
				assertThat(text).as(attribute.getName()).isNotBlank();
				rows.put(attribute.getName(), "| `" + attribute.getName() + "` | "
						+ (attribute.getReturnType().isArray() ? "list" : "text") + " | " + text + " |");
			});
		List<String> lines = new ArrayList<>(List.of("| attribute | type | is |", "| --- | --- | --- |"));
		lines.addAll(rows.values());
		GeneratedTable.check(PAGE, "annotation", lines);
		assertThat(rows).hasSize(attributes.length);
		assertThat(attributes).filteredOn((attribute) -> attribute.getDefaultValue() == null)
			.extracting(Method::getName)
			.containsExactly("apiVersion");
	}

	private static int position(SourceDoc doc, Method attribute) {
		return doc.source().indexOf(" " + attribute.getName() + "()");
	}

	@Test
	void statesOfAReflector() throws IOException {
		SourceDoc doc = SourceDoc.of(ReflectorState.class);
		List<String> lines = new ArrayList<>(List.of("| state | means |", "| --- | --- |"));
		for (ReflectorState state : ReflectorState.values()) {
			String text = doc.constant(state.name());
			assertThat(text).as(state.name()).isNotBlank();
			lines.add("| `" + state + "` | " + text + " |");
		}
		GeneratedTable.check(PAGE, "states", lines);
	}

	@Test
	void statusesOfHealth() throws Exception {
		Map<String, SourceDoc> contributors = new LinkedHashMap<>();
		contributors.put("reflectors", SourceDoc.of(ReflectorHealthIndicator.class));
		contributors.put("leaderElection", SourceDoc.of(LeaderElectionHealthIndicator.class));
		contributors.put("shards", SourceDoc.of(ShardMembershipHealthIndicator.class));
		contributors.put("reflectorKafka", SourceDoc.of("dev.reflector.kafka.KafkaPublishersHealth"));
		List<String> lines = new ArrayList<>(List.of("| contributor | status | when |", "| --- | --- | --- |"));
		contributors.forEach((name, doc) -> {
			assertThat(doc.items().stream().map(SourceDoc.Item::name).collect(Collectors.toSet())).as(name)
				.isEqualTo(statusesIn(doc.source()));
			doc.items()
				.forEach((item) -> lines.add("| `" + name + "` | `" + item.name() + "` | "
						+ (item.text().isEmpty() ? "otherwise" : item.text()) + " |"));
		});
		GeneratedTable.check(PAGE, "health", lines);
		List<String> ours = application.get("health")
			.path("components")
			.propertyNames()
			.stream()
			.filter((name) -> !Set.of("diskSpace", "livenessState", "ping", "readinessState", "ssl").contains(name))
			.toList();
		assertThat(ours).containsExactlyInAnyOrderElementsOf(contributors.keySet());
	}

	private static Set<String> statusesIn(String source) {
		Set<String> statuses = new TreeSet<>();
		Pattern.compile("(?<!\\w)Status\\.([A-Z_]{2,})\\b")
			.matcher(source)
			.results()
			.forEach((match) -> statuses.add(match.group(1)));
		Map<String, String> methods = Map.of("up", "UP", "down", "DOWN", "unknown", "UNKNOWN", "outOfService",
				"OUT_OF_SERVICE");
		methods.forEach((method, status) -> {
			if (source.contains("builder." + method + "()")) {
				statuses.add(status);
			}
		});
		return statuses;
	}

	/** Returns the first column of a table, without the marks of code. */
	private static Set<String> firstCells(String table) throws IOException {
		String page = Files.readString(SourceDoc.ROOT.resolve("docs").resolve(PAGE));
		String text = page.substring(page.indexOf("<!-- generated: " + table + " -->"),
				page.indexOf("<!-- end of " + table + " -->"));
		return Pattern.compile("(?m)^\\| `([^`]+)` \\|")
			.matcher(text)
			.results()
			.map((match) -> match.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
