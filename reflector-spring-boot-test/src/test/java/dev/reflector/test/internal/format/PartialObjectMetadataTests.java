package dev.reflector.test.internal.format;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.fixture.CborClient;
import dev.reflector.test.fixture.CborClient.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of metadata alone (W-59) and of how alternatives are chosen.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PartialObjectMetadataTests {

	private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";

	private static final String PODS = "/api/v1/namespaces/default/pods";

	private static final String STATE = "?watch=true&sendInitialEvents=true"
			+ "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

	private static final String OF_META = ";g=meta.k8s.io;v=v1";

	private static final String OBJECT = "application/json;as=PartialObjectMetadata" + OF_META;

	private static final String LIST = "application/json;as=PartialObjectMetadataList" + OF_META;

	private static final String TABLE = "application/json;as=Table" + OF_META;

	private EmbeddedApiServer server;

	private CborClient client;

	private static EmbeddedApiServer.Builder describe() {
		return EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.type("v1", "Pod", "pods", true)
			.cbor(true);
	}

	@BeforeEach
	void start() {
		this.server = describe().sharding(true).start();
		this.client = new CborClient(this.server);
		create(this.server, "widgets", "a", "x");
		create(this.server, "widgets", "b", "y");
		create(this.server, "pods", "a", "x");
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	private static void create(EmbeddedApiServer server, String plural, String name, String tier) {
		server.resources(plural)
			.create(Map.of("metadata", Map.of("name", name, "labels", Map.of("tier", tier)), "spec",
					Map.of("size", 1)));
	}

	private static JsonNode json(Answer answer) {
		assertThat(answer.contentType()).isEqualTo("application/json");
		return json(answer.text());
	}

	private static JsonNode json(String text) {
		return new JsonMapper().readTree(text);
	}

	private static void assertPartial(JsonNode object, String name) {
		assertThat(object.propertyNames()).containsExactlyInAnyOrder("kind", "apiVersion", "metadata");
		assertThat(object.path("kind").asString()).isEqualTo("PartialObjectMetadata");
		assertThat(object.path("apiVersion").asString()).isEqualTo("meta.k8s.io/v1");
		assertThat(object.at("/metadata/name").asString("")).isEqualTo(name);
	}

	@Test
	void objects() {
		JsonNode whole = json(this.client.get(WIDGETS + "/a", "application/json"));
		JsonNode partial = json(this.client.get(WIDGETS + "/a", OBJECT));
		assertPartial(partial, "a");
		assertThat(partial.path("metadata")).isEqualTo(whole.path("metadata"));
	}

	@ParameterizedTest
	@CsvSource({ WIDGETS, PODS })
	void lists(String path) {
		Answer answer = this.client.get(path + "?labelSelector=tier=x", LIST);
		JsonNode list = json(answer);
		assertThat(list.propertyNames()).containsExactly("kind", "apiVersion", "metadata", "items");
		assertThat(list.path("kind").asString()).isEqualTo("PartialObjectMetadataList");
		assertThat(list.path("apiVersion").asString()).isEqualTo("meta.k8s.io/v1");
		assertThat(list.path("metadata").propertyNames()).containsExactly("resourceVersion");
		assertThat(list.path("items").valueStream()).singleElement().satisfies((item) -> assertPartial(item, "a"));
	}

	@Test
	void listsDoNotMentionShardsButHaveFurtherPages() {
		String all = "&shardSelector=shardRange(object.metadata.uid,'0x0000000000000000','0x10000000000000000')";
		Answer answer = this.client.get(PODS + "?limit=1" + all.replace("'", "%27"), LIST);
		assertThat(json(answer).path("metadata").propertyNames()).containsExactly("resourceVersion");
		JsonNode page = json(this.client.get(WIDGETS + "?limit=1", LIST));
		assertThat(page.at("/metadata/remainingItemCount").asInt()).isEqualTo(1);
		String token = page.at("/metadata/continue").asString();
		assertPartial(json(this.client.get(WIDGETS + "?continue=" + token, LIST)).at("/items/0"), "b");
	}

	@Test
	void olderVersion() {
		String accept = LIST.replace("v=v1", "v=v1beta1");
		JsonNode list = json(this.client.get(WIDGETS, accept));
		assertThat(list.path("apiVersion").asString()).isEqualTo("meta.k8s.io/v1beta1");
		assertThat(list.at("/items/0/apiVersion").asString()).isEqualTo("meta.k8s.io/v1beta1");
	}

	@Test
	void watches() {
		List<JsonNode> frames = this.client.get(WIDGETS + STATE + "&fieldSelector=metadata.name=b", OBJECT)
			.text()
			.lines()
			.map(PartialObjectMetadataTests::json)
			.toList();
		assertThat(frames).extracting((frame) -> frame.path("type").asString()).containsExactly("ADDED", "BOOKMARK");
		assertPartial(frames.get(0).path("object"), "b");
		assertPartial(frames.get(1).path("object"), "");
		assertThat(frames.get(1).at("/object/metadata/annotations/k8s.io~1initial-events-end").asString())
			.isEqualTo("true");
	}

	@Test
	void watchesTellOfChangesAndDeletions() {
		String begin = this.server.resourceVersion();
		this.server.resources("widgets").mergePatch("default", "a", "{\"spec\": {\"size\": 2}}");
		this.server.resources("widgets").delete("default", "a");
		List<JsonNode> frames = this.client.get(WIDGETS + "?watch=true&resourceVersion=" + begin, OBJECT)
			.text()
			.lines()
			.map(PartialObjectMetadataTests::json)
			.toList();
		assertThat(frames).extracting((frame) -> frame.path("type").asString()).containsExactly("MODIFIED", "DELETED");
		assertThat(frames).allSatisfy((frame) -> assertPartial(frame.path("object"), "a"));
	}

	@Test
	void failuresStayStatuses() {
		Answer missing = this.client.get(WIDGETS + "/nobody", OBJECT);
		assertThat(missing.status()).isEqualTo(404);
		assertThat(json(missing).path("kind").asString()).isEqualTo("Status");
		this.server.compact();
		Answer watch = this.client.get(WIDGETS + "?watch=true&resourceVersion=1", OBJECT);
		assertThat(json(watch).at("/object/code").asInt()).isEqualTo(410);
		Answer cbor = this.client.get(WIDGETS + "/nobody", OBJECT.replace("json", "cbor"));
		assertThat(cbor.contentType()).as("no plain alternative").isEqualTo("application/json");
	}

	@Test
	void inCbor() {
		assertPartial(this.client.get(WIDGETS + "/a", OBJECT.replace("json", "cbor")).value(), "a");
		Answer list = this.client.get(PODS, LIST.replace("json", "cbor"));
		assertThat(list.contentType()).isEqualTo("application/cbor");
		assertPartial(list.value().at("/items/0"), "a");
		Answer watch = this.client.get(WIDGETS + STATE, OBJECT.replace("json", "cbor"));
		assertThat(watch.contentType()).isEqualTo("application/cbor-seq");
		assertThat(watch.events()).containsExactly("ADDED a", "ADDED b", "BOOKMARK");
		assertPartial(watch.frames().get(2).path("object"), "");
	}

	@Test
	void answersToWrites() {
		Answer created = this.client.send(this.client.request(WIDGETS, OBJECT)
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString("""
					{"apiVersion": "example.com/v1", "kind": "Widget",
					 "metadata": {"name": "c", "finalizers": ["example.com/wait"]}}
					"""))
			.build());
		assertThat(created.status()).isEqualTo(201);
		assertPartial(json(created), "c");
		Answer deleting = this.client.send(this.client.request(WIDGETS + "/c", OBJECT).DELETE().build());
		assertPartial(json(deleting), "c");
		assertThat(json(deleting).path("metadata").has("deletionTimestamp")).isTrue();
	}

	@Test
	void theFormHasToFit() {
		Answer list = this.client.get(WIDGETS, OBJECT);
		assertThat(list.status()).isEqualTo(406);
		assertThat(json(list).path("message").asString())
			.startsWith("you requested PartialObjectMetadata, but the requested object is a list");
		assertThat(this.client.get(WIDGETS + "/a", LIST).status()).isEqualTo(406);
		Answer watch = this.client.get(WIDGETS + "?watch=true&timeoutSeconds=60", LIST);
		assertThat(watch.status()).isEqualTo(200);
		assertThat(watch.bytes()).as("what real servers do: end at once").isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					application/json                                              | application/json | WidgetList
					application/cbor                                              | application/cbor | WidgetList
					application/json;q=0.9,application/cbor;q=1                   | application/cbor | WidgetList
					application/cbor;q=0.1,application/json                       | application/json | WidgetList
					application/cbor,application/json                             | application/cbor | WidgetList
					application/json , application/cbor                           | application/json | WidgetList
					*/*;q=0.1,application/cbor;q=0.1                              | application/cbor | WidgetList
					application/*,application/cbor                                | application/cbor | WidgetList
					*/*                                                           | application/json | WidgetList
					application/*                                                 | application/json | WidgetList
					application/json;q=0                                          | application/json | WidgetList
					application/json;stream=watch                                 | application/json | WidgetList
					application/json;stream=other,application/cbor                | application/cbor | WidgetList
					application/json;charset=utf-8                                | application/json | WidgetList
					nonsense, application/json                                    | application/json | WidgetList
					application/vnd.kubernetes.protobuf,application/json          | application/json | WidgetList
					LIST,application/json                                         | application/json | PartialObjectMetadataList
					application/json,LIST                                         | application/json | WidgetList
					application/json;q=0.5,LIST                                   | application/json | PartialObjectMetadataList
					TABLE,LIST,application/json                                   | application/json | PartialObjectMetadataList
					TABLE,application/json                                        | application/json | WidgetList
					application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,LIST | application/json | PartialObjectMetadataList
					application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v2,application/cbor | application/cbor | WidgetList
					""")
	void alternativesAreTriedInTheirOrder(String accept, String contentType, String kind) {
		Answer answer = this.client.get(WIDGETS, accept.replace("LIST", LIST).replace("TABLE", TABLE));
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.contentType()).isEqualTo(contentType);
		JsonNode list = "application/cbor".equals(contentType) ? answer.value() : json(answer);
		assertThat(list.path("kind").asString()).isEqualTo(kind);
	}

	@ParameterizedTest
	@CsvSource({ "text/html", "nonsense", "application/cbor-seq", "application/json;as=Table;g=meta.k8s.io;v=v1",
			"application/json;as=PartialObjectMetadataList", "application/json;as=Other;g=meta.k8s.io;v=v1",
			"application/json;as=PartialObjectMetadataList;g=other;v=v1", "application/json;stream=other",
			"application/vnd.kubernetes.protobuf" })
	void withoutAnAlternativeThatFits(String accept) {
		Answer answer = this.client.get(WIDGETS, accept);
		assertThat(answer.status()).isEqualTo(406);
		assertThat(json(answer).path("reason").asString()).isEqualTo("NotAcceptable");
	}

	@Test
	void serversThatCannotDoItPassItOver() {
		try (EmbeddedApiServer without = describe().partialObjectMetadata(false).start()) {
			create(without, "widgets", "a", "x");
			CborClient client = new CborClient(without);
			assertThat(client.get(WIDGETS, LIST).status()).isEqualTo(406);
			JsonNode list = json(client.get(WIDGETS, LIST + ",application/json"));
			assertThat(list.path("kind").asString()).isEqualTo("WidgetList");
			assertThat(list.at("/items/0/spec/size").asInt()).isEqualTo(1);
			String watch = client.get(WIDGETS + STATE, OBJECT + ",application/json").text();
			assertThat(watch).contains("\"kind\":\"Widget\"").doesNotContain("PartialObjectMetadata");
		}
	}

}
