package dev.reflector.client.internal.bind;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.RawServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that objects of a list share equal strings, over a real socket.
 */
class SharedStringsTests {

	private static ListPage<Item> list(JsonMapper mapper, List<String> items) throws IOException {
		try (RawServer server = RawServer.answering("{\"items\":[" + String.join(",", items) + "]}")) {
			ApiServerClient client = Clients.builder(server.uri())
				.jsonMapper(mapper)
				.decodeScheduler(Schedulers.immediate())
				.build();
			return client.listerWatcher(Item.class, MetadataAccessor.forType(Item.class), Clients.WIDGETS, "", "")
				.list(Clients.list())
				.block(Duration.ofSeconds(30));
		}
	}

	private static String item(String name, String namespace, String node) {
		return """
				{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"%s","namespace":"%s",\
				"resourceVersion":"7","labels":{"app":"%s"}},"node":"%s"}""".formatted(name, namespace, node, node);
	}

	@Test
	void equalStringsAreOneInstance() throws IOException {
		List<Item> items = list(JsonMapper.builder().build(),
				List.of(item("a", "team", "node-ä"), item("b", "team", "node-ä")))
			.items();
		Item first = items.get(0);
		Item second = items.get(1);
		assertThat(first.node()).isEqualTo("node-ä").isSameAs(second.node());
		assertThat(first.metadata().namespace()).isEqualTo("team").isSameAs(second.metadata().namespace());
		assertThat(first.metadata().labels().get("app")).isEqualTo("node-ä")
			.isSameAs(second.metadata().labels().get("app"));
	}

	@Test
	void frequentStringsStaySharedAmongUniqueOnes() throws IOException {
		List<Item> items = list(JsonMapper.builder().build(),
				IntStream.range(0, 5000)
					.mapToObj((i) -> item("n" + i, "team-" + i % 7, (i % 2 == 0) ? "node-" + i % 50 : "unique-" + i))
					.toList())
			.items();
		assertThat(items).extracting(Item::node)
			.containsExactlyElementsOf(
					IntStream.range(0, 5000).mapToObj((i) -> (i % 2 == 0) ? "node-" + i % 50 : "unique-" + i).toList());
		Map<Integer, Long> instances = items.stream()
			.collect(Collectors.groupingBy((item) -> System.identityHashCode(item.metadata().namespace()),
					Collectors.counting()));
		assertThat(instances).hasSizeLessThan(20);
		assertThat(items.stream()
			.filter((item) -> item.node().startsWith("node"))
			.map((item) -> System.identityHashCode(item.node()))
			.distinct()
			.count()).isLessThan(250);
	}

	@Test
	void stringsThatAreAllDifferentAndLongOnesAreRead() throws IOException {
		String longText = "x".repeat(65);
		List<String> texts = IntStream.range(0, 12_000)
			.mapToObj((i) -> (i % 100 == 0) ? longText + i : "t" + i)
			.toList();
		List<Item> items = list(JsonMapper.builder().build(),
				texts.stream().map((text) -> item("n", "ns", text)).toList())
			.items();
		assertThat(items).extracting(Item::node).isEqualTo(texts);
	}

	@Test
	void otherValuesBecomeStringsAsJacksonHasIt() throws IOException {
		Item item = list(JsonMapper.builder().build(), List.of(item("a", "ns", "n").replace("\"n\"}", "17}"))).items()
			.get(0);
		assertThat(item.node()).isEqualTo("17");
		assertThat(list(JsonMapper.builder().build(),
				List.of(item("a", "ns", "n").replace("\"node\":\"n\"", "\"node\":{}")))
			.skipped()).singleElement().satisfies((skipped) -> assertThat(skipped.reason()).contains("at node"));
	}

	@Test
	void stringsOfTheApplicationStayItsOwn() throws IOException {
		JsonMapper mapper = JsonMapper.builder()
			.addModule(new SimpleModule().addDeserializer(String.class, new StdDeserializer<>(String.class) {

				@Override
				public String deserialize(JsonParser parser, DeserializationContext context) {
					return parser.getString().toUpperCase(java.util.Locale.ROOT);
				}

			}))
			.build();
		assertThat(list(mapper, List.of(item("a", "ns", "node"))).items()).singleElement()
			.extracting(Item::node)
			.isEqualTo("NODE");
	}

	record Meta(String name, @Nullable String namespace, String resourceVersion, Map<String, String> labels) {

	}

	record Item(Meta metadata, String node) {

	}

}
