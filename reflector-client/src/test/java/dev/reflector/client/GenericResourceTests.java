package dev.reflector.client;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.reflector.GenericResource;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.options.ClientOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of objects without a class, over a real socket.
 */
class GenericResourceTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static ListerWatcher<GenericResource> source(RawServer server, ResourceType type, ClientOptions options) {
		return Clients.client(server.uri(), options)
			.listerWatcher(GenericResource.class, MetadataAccessor.forType(GenericResource.class), type, "", "");
	}

	private static ListPage<GenericResource> list(String body, ResourceType type) throws IOException {
		try (RawServer server = RawServer.answering(body)) {
			return source(server, type, Clients.OPTIONS).list(Clients.list()).block(LIMIT);
		}
	}

	@Test
	void c042_c044_isTheWholeObjectWithTheTypeOfItsCollection() throws IOException {
		GenericResource object = list("""
				{"metadata":{"resourceVersion":"12"},"items":[
				{"metadata":{"name":"a","namespace":"ns","resourceVersion":"7","labels":{"app":"web"},
				"creationTimestamp":"2026-11-21T10:00:00Z","managedFields":[]},"spec":{"replicas":3,"none":null}}]}
				""", Clients.WIDGETS).items().get(0);
		assertThat(object.apiVersion()).isEqualTo("example.com/v1");
		assertThat(object.kind()).isEqualTo("Widget");
		assertThat(object.metadata().name()).isEqualTo("a");
		assertThat(object.metadata().labels()).isEqualTo(Map.of("app", "web"));
		assertThat(object.metadata().creationTimestamp()).isEqualTo(Instant.parse("2026-11-21T10:00:00Z"));
		assertThat(object.at("/spec/replicas").asInt()).isEqualTo(3);
		assertThat(object.at("/spec/none").isNull()).isTrue();
		assertThat(object.at("/status/nothing").isMissingNode()).isTrue();
		assertThat(object.at("/metadata/managedFields").isArray()).isTrue();
		assertThatIllegalArgumentException().isThrownBy(() -> object.at("spec"));
		assertThat(object).hasToString("Widget ns/a @ 7");
	}

	@ParameterizedTest
	@ValueSource(strings = { "mygroup/v1", "v1" })
	void c042_messagesAboutAnObjectWithoutAClassNameGroupVersionAndKind(String apiVersion) throws IOException {
		ResourceType type = ResourceType.of(apiVersion, "MyKind", "mykinds");
		String described = "{\"apiVersion\":\"" + apiVersion + "\",\"kind\":\"MyKind\",\"metadata\":{}}";
		String foreign = "{\"apiVersion\":\"other/v2\",\"kind\":\"Other\",\"metadata\":{\"name\":\"a\"}}";
		try (RawServer server = RawServer
			.answering(Clients.frame("ADDED", described) + Clients.frame("ADDED", foreign))) {
			List<String> reasons = source(server, type, Clients.OPTIONS).watch(Clients.watch())
				.ofType(WatchEvent.Skipped.class)
				.map((skipped) -> skipped.object().reason())
				.collectList()
				.block(LIMIT);
			assertThat(reasons).hasSize(2).allMatch((reason) -> reason.startsWith(apiVersion + " MyKind: "));
			assertThat(reasons.get(1)).endsWith("of another type (other/v2 Other)");
		}
		assertThat(list("{\"items\":[" + described + "," + foreign + "]}", type).skipped())
			.extracting(SkippedObject::reason)
			.hasSize(2)
			.allMatch((reason) -> reason.startsWith(apiVersion + " MyKind: "));
		assertThat(type).hasToString(apiVersion + " MyKind");
	}

	@Test
	void isWrittenAsTheObjectThatItIs() throws IOException {
		GenericResource object = list("{\"items\":[" + Clients.json("a", 3) + "]}", Clients.WIDGETS).items().get(0);
		JsonMapper mapper = JsonMapper.shared();
		assertThat(mapper.readTree(mapper.writeValueAsString(object))).isEqualTo(mapper.readTree(Clients.json("a", 3)));
	}

	@Test
	void sameObjectIsEqualWhetherListedOrWatched() throws IOException {
		String bare = Clients.json("a", 3).replace("\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",", "");
		GenericResource listed = list("{\"items\":[" + bare + "]}", Clients.WIDGETS).items().get(0);
		try (RawServer server = RawServer.answering(Clients.frame("ADDED", Clients.json("a", 3)))) {
			assertThat(source(server, Clients.WIDGETS, Clients.OPTIONS).watch(Clients.watch())
				.filter(Clients::isFrame)
				.blockLast(LIMIT)).isEqualTo(new WatchEvent.Added<>(listed));
		}
	}

	@Test
	void r70_frameOfAnotherTypeIsSkippedAndReported() throws IOException {
		try (RawServer server = RawServer.answering(Clients.frame("ADDED", Clients.json("a", 1))
				+ Clients.frame("MODIFIED", Clients.json("b", 1).replace("Widget", "Gadget"))
				+ Clients.frame("ADDED", Clients.json("c", 1).replace("example.com/v1", "example.com/v2"))
				+ Clients.frame("ADDED",
						Clients.json("d", 1).replace("example.com/v1", "meta.k8s.io/v1").replace("Widget", "Table")))) {
			List<WatchEvent<GenericResource>> events = source(server, Clients.WIDGETS, Clients.OPTIONS)
				.watch(Clients.watch())
				.filter(Clients::isFrame)
				.collectList()
				.block(LIMIT);
			assertThat(events.get(0)).isInstanceOf(WatchEvent.Added.class);
			assertThat(events.subList(1, 4))
				.allSatisfy((event) -> assertThat(event).isInstanceOfSatisfying(WatchEvent.Skipped.class,
						(skipped) -> assertThat(skipped.object().reason()).contains("another type")));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "v1", "v1beta1" })
	void c053_tableIsRefused(String version) {
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> list(
					"{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/" + version + "\",\"metadata\":{},\"rows\":[]}",
					Clients.WIDGETS))
			.withMessageContaining("of kind Table");
	}

	@Test
	void c054_tableOfAnotherGroupIsAnObjectLikeAnyOther() throws IOException {
		ResourceType tables = ResourceType.of("furniture.example.com/v1", "Table", "tables");
		String table = Clients.json("a", 1)
			.replace("example.com/v1", "furniture.example.com/v1")
			.replace("Widget", "Table");
		assertThat(
				list("{\"kind\":\"TableList\",\"apiVersion\":\"furniture.example.com/v1\",\"items\":[" + table + "]}",
						tables)
					.items())
			.singleElement()
			.extracting(GenericResource::kind)
			.isEqualTo("Table");
	}

	@Test
	void limitsOnSizeAndDepthHold() throws IOException {
		String deep = Clients.json("deep", 1)
			.replace("\"unknown\":", "\"deep\":" + "[".repeat(2000) + "]".repeat(2000) + ",\"unknown\":");
		String large = Clients.json("large", 1)
			.replace("\"unknown\":", "\"x\":\"" + "y".repeat(200_000) + "\",\"unknown\":");
		try (RawServer server = RawServer
			.answering("{\"items\":[" + Clients.json("a", 1) + "," + deep + "," + large + "]}")) {
			ListPage<GenericResource> page = source(server, Clients.WIDGETS, Clients.maxObjectSize(100_000))
				.list(Clients.list())
				.block(LIMIT);
			assertThat(page.items()).hasSize(1);
			assertThat(page.skipped()).extracting(SkippedObject::key)
				.containsExactly(new ResourceKey("ns", "deep"), new ResourceKey("ns", "large"));
			assertThat(page.skipped().get(0).reason()).contains("a limit of the JSON parser");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"metadata\":null}", "{\"metadata\":{}}", "{\"metadata\":[1]}", "[]", "\"text\"" })
	void objectWithoutMetadataIsSkipped(String item) throws IOException {
		ListPage<GenericResource> page = list("{\"items\":[" + item + "," + Clients.json("a", 1) + "]}",
				Clients.WIDGETS);
		assertThat(page.items()).hasSize(1);
		assertThat(page.skipped()).hasSize(1);
	}

}
