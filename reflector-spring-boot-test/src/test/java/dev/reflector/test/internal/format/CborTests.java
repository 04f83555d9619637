package dev.reflector.test.internal.format;

import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.fixture.CborClient;
import dev.reflector.test.fixture.CborClient.Answer;
import dev.reflector.test.fixture.TestClient;
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
 * Tests of CBOR (W-61).
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CborTests {

	private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";

	private static final String PODS = "/api/v1/namespaces/default/pods";

	private static final String STATE = "?watch=true&sendInitialEvents=true"
			+ "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

	private static final String SINCE = "?watch=true&resourceVersion=";

	private EmbeddedApiServer server;

	private CborClient client;

	private static EmbeddedApiServer.Builder describe() {
		return EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.type("v1", "Pod", "pods", true);
	}

	@BeforeEach
	void start() {
		this.server = describe().cbor(true).gzipWatches(true).start();
		this.client = new CborClient(this.server);
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	private void create(String plural, String name, Object spec) {
		this.server.resources(plural).create(Map.of("metadata", Map.of("name", name), "spec", spec));
	}

	private void createAll(int count) {
		for (int i = 0; i < count; i++) {
			create("widgets", "w" + i, Map.of("size", i));
		}
	}

	private JsonNode json(String path) {
		return new TestClient(this.server).get(path).json();
	}

	private static JsonNode plain(JsonNode value) {
		return new JsonMapper().readTree(value.toString());
	}

	@Test
	void anObjectIsTheSameInBothFormats() {
		create("widgets", "first", Map.of("size", 1, "tags", List.of("ä", "b"), "none", Map.of()));
		Answer answer = this.client.get(WIDGETS + "/first");
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.contentType()).isEqualTo("application/cbor");
		assertThat(plain(answer.value())).isEqualTo(json(WIDGETS + "/first"));
	}

	@ParameterizedTest
	@CsvSource({ "23, 17", "24, 1818", "-500, 3901f3", "70000, 1a00011170", "9007199254740993, 1b0020000000000001",
			"-9223372036854775808, 3b7fffffffffffffff", "1.5, f93e00", "1.0, f93c00", "-1.5, f9be00", "65504.0, f97bff",
			"5.960464477539063e-8, f90001", "6.103515625e-5, f90400", "100000.5, fa47c35040", "65536.0, fa47800000",
			"0.1, fb3fb999999999999a", "12345678901234567890, fb43e56a95319d63e1", "true, f5", "false, f4", "null, f6",
			"{}, a0", "[], 80", "\"\", 40", "\"ä\", 42c3a4", "[1], 8101" })
	void valuesTakeTheBytesTheyTakeOnRealServers(String json, String hex) {
		this.server.resources("widgets")
			.create("{\"metadata\": {\"name\": \"first\"}, \"spec\": {\"value\": " + json + "}}");
		String value = HexFormat.of().formatHex("value".getBytes(StandardCharsets.US_ASCII));
		assertThat(this.client.get(WIDGETS + "/first").hex()).contains("a145" + value + hex);
	}

	@Test
	void keysAreByteStrings() {
		create("widgets", "first", Map.of());
		String name = HexFormat.of().formatHex("name".getBytes(StandardCharsets.US_ASCII));
		assertThat(this.client.get(WIDGETS + "/first").hex()).contains("44" + name + "456669727374")
			.doesNotContain("64" + name);
	}

	@Test
	void listsOfCustomResources() {
		createAll(3);
		Answer answer = this.client.get(WIDGETS);
		assertThat(answer.contentType()).isEqualTo("application/cbor");
		assertThat(plain(answer.value())).isEqualTo(json(WIDGETS));
		assertThat(answer.hex().substring(6)).as("no tag within").doesNotContain("d9d9f7");
	}

	@Test
	void listsOfBuiltInTypesOmitTheTypesOfTheirItems() {
		create("pods", "a", Map.of());
		Answer answer = this.client.get(PODS);
		assertThat(plain(answer.value())).isEqualTo(json(PODS));
		assertThat(answer.value().at("/items/0").has("kind")).isFalse();
		assertThat(this.client.get(PODS + "/a").value().path("kind").asString()).isEqualTo("Pod");
	}

	@Test
	void pagesGoOn() {
		createAll(3);
		JsonNode first = this.client.get(WIDGETS + "?limit=2").value();
		String token = first.at("/metadata/continue").asString();
		assertThat(first.at("/metadata/remainingItemCount").asInt()).isEqualTo(1);
		assertThat(this.client.get(WIDGETS + "?limit=2&continue=" + token).names()).containsExactly("w2");
	}

	@Test
	void keysOfListsComeInAnyOrder() {
		List<Boolean> itemsFirst = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			create("widgets", "w" + i, Map.of());
			List<String> names = List.copyOf(this.client.get(WIDGETS).value().propertyNames());
			itemsFirst.add(names.indexOf("items") < names.indexOf("metadata"));
		}
		assertThat(itemsFirst).contains(true, false);
	}

	@Test
	void objectsComeBeforeAndAfterTypesAndAlwaysTheSameWay() {
		createAll(30);
		Answer answer = this.client.get(WIDGETS + SINCE + "0");
		List<String> frames = answer.sequence().stream().map(HexFormat.of()::formatHex).toList();
		String type = "d9d9f7a2" + "44" + HexFormat.of().formatHex("type".getBytes(StandardCharsets.US_ASCII));
		String object = "d9d9f7a2" + "46" + HexFormat.of().formatHex("object".getBytes(StandardCharsets.US_ASCII))
				+ "d9d9f7";
		assertThat(frames).hasSize(30)
			.allMatch((frame) -> frame.startsWith(type) || frame.startsWith(object))
			.anyMatch((frame) -> frame.startsWith(type))
			.anyMatch((frame) -> frame.startsWith(object));
		assertThat(this.client.get(WIDGETS + SINCE + "0").hex()).isEqualTo(answer.hex());
	}

	@Test
	void watchesSendChanges() {
		create("widgets", "a", Map.of("size", 1));
		String begin = this.server.resourceVersion();
		create("widgets", "b", Map.of("size", 1));
		this.server.resources("widgets").mergePatch("default", "a", "{\"spec\": {\"size\": 2}}");
		this.server.resources("widgets").delete("default", "b");
		Answer answer = this.client.get(WIDGETS + SINCE + begin);
		assertThat(answer.contentType()).isEqualTo("application/cbor-seq");
		assertThat(answer.events()).containsExactly("ADDED b", "MODIFIED a", "DELETED b");
		assertThat(answer.frames().get(1).at("/object/spec/size").asInt()).isEqualTo(2);
	}

	@Test
	void aStreamedListHasItsEndMarked() {
		createAll(2);
		Answer answer = this.client.get(WIDGETS + STATE);
		assertThat(answer.events()).containsExactly("ADDED w0", "ADDED w1", "BOOKMARK");
		JsonNode bookmark = answer.frames().get(2).path("object");
		assertThat(bookmark.path("kind").asString()).isEqualTo("Widget");
		assertThat(bookmark.path("metadata").path("annotations").path("k8s.io/initial-events-end").asString())
			.isEqualTo("true");
		assertThat(bookmark.at("/metadata/resourceVersion").asString()).isEqualTo(this.server.resourceVersion());
	}

	@Test
	void aTooOldVersionIsReportedInTheStream() {
		createAll(2);
		this.server.compact();
		Answer answer = this.client.get(WIDGETS + SINCE + "1");
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.contentType()).isEqualTo("application/cbor-seq");
		assertThat(answer.frames()).singleElement().satisfies((frame) -> {
			assertThat(frame.path("type").asString()).isEqualTo("ERROR");
			assertThat(frame.at("/object/kind").asString()).isEqualTo("Status");
			assertThat(frame.at("/object/code").asInt()).isEqualTo(410);
		});
	}

	@Test
	void failuresAreCbor() {
		Answer answer = this.client.get(WIDGETS + "/nobody");
		assertThat(answer.status()).isEqualTo(404);
		assertThat(answer.contentType()).isEqualTo("application/cbor");
		assertThat(answer.value().path("reason").asString()).isEqualTo("NotFound");
		Answer watch = this.client.get(WIDGETS + "?watch=true&sendInitialEvents=true");
		assertThat(watch.status()).isEqualTo(422);
		assertThat(watch.contentType()).isEqualTo("application/cbor");
		this.server.fail(RecordedRequest::isList, 1, Fault.status(429));
		assertThat(this.client.get(WIDGETS).value().path("code").asInt()).isEqualTo(429);
	}

	@Test
	void bodiesOfRequestsMayBeCbor() {
		Map<String, Object> widget = Map.of("apiVersion", "example.com/v1", "kind", "Widget", "metadata",
				Map.of("name", "first"), "spec", Map.of("size", 1));
		Answer created = this.client.send("POST", WIDGETS, "application/cbor", CborClient.encoded(widget));
		assertThat(created.status()).isEqualTo(201);
		assertThat(created.value().at("/spec/size").asInt()).isEqualTo(1);
		byte[] same = this.client.get(WIDGETS + "/first").bytes();
		Answer updated = this.client.send("PUT", WIDGETS + "/first", "application/cbor", same);
		assertThat(updated.status()).isEqualTo(200);
		assertThat(plain(updated.value())).isEqualTo(json(WIDGETS + "/first"));
		Map<String, Object> single = Map.of("apiVersion", "example.com/v1", "kind", "Widget", "metadata",
				Map.of("name", "single"), "spec", Map.of("value", 0.1f));
		this.client.send("POST", WIDGETS, "application/cbor", CborClient.encoded(single));
		assertThat(json(WIDGETS + "/single").at("/spec/value").asDouble()).isEqualTo(0.10000000149011612);
		byte[] options = CborClient.encoded(Map.of("preconditions", Map.of("uid", "another")));
		assertThat(this.client.send("DELETE", WIDGETS + "/first", "application/cbor", options).status()).isEqualTo(409);
		Answer deleted = this.client.send("DELETE", WIDGETS + "/first", "application/cbor", new byte[0]);
		assertThat(deleted.value().path("status").asString()).isEqualTo("Success");
	}

	@Test
	void duplicateKeysAndInvalidCborAreRefused() {
		byte[] duplicate = HexFormat.of().parseHex("a2416101416102");
		assertThat(this.client.send("POST", WIDGETS, "application/cbor", duplicate).status()).isEqualTo(400);
		byte[] json = "{}".getBytes(StandardCharsets.US_ASCII);
		assertThat(this.client.send("POST", WIDGETS, "application/cbor", json).status()).isEqualTo(400);
	}

	@Test
	void aSequenceCannotBeAskedFor() {
		Answer answer = this.client.get(WIDGETS + SINCE + "0", "application/cbor-seq");
		assertThat(answer.status()).isEqualTo(406);
		assertThat(answer.contentType()).isEqualTo("application/json");
		assertThat(answer.text()).contains("\"reason\":\"NotAcceptable\"",
				"only the following media types are accepted: application/json, application/cbor");
	}

	@Test
	void serversWithoutCborRefuseIt() {
		try (EmbeddedApiServer without = describe().start()) {
			CborClient client = new CborClient(without);
			Answer answer = client.get(WIDGETS);
			assertThat(answer.status()).isEqualTo(406);
			assertThat(answer.contentType()).isEqualTo("application/json");
			assertThat(answer.text()).contains("\"kind\":\"Status\"", "\"code\":406");
			assertThat(client.get(WIDGETS, "application/cbor,application/json;q=0.9").contentType())
				.isEqualTo("application/json");
			Answer sent = client.send("POST", WIDGETS, "application/cbor", CborClient.encoded(Map.of()));
			assertThat(sent.status()).isEqualTo(406);
			HttpRequest post = client.request(WIDGETS, "application/json")
				.header("Content-Type", "application/cbor")
				.POST(HttpRequest.BodyPublishers.ofByteArray(CborClient.encoded(Map.of())))
				.build();
			assertThat(client.send(post).status()).isEqualTo(415);
			assertThat(client.send(post).contentType()).isEqualTo("application/json");
			assertThat(client.send(post).text()).contains("\"reason\":\"UnsupportedMediaType\"");
		}
	}

	@Test
	void bigListsAreStreamedAndCompressed() {
		for (int i = 0; i < 3; i++) {
			create("widgets", "w" + i, Map.of("padding", "x".repeat(60_000)));
		}
		Answer plain = this.client.get(WIDGETS);
		assertThat(plain.header("Content-Length")).isEmpty();
		assertThat(plain.names()).containsExactly("w0", "w1", "w2");
		Answer compressed = this.client
			.send(this.client.request(WIDGETS, CborClient.CBOR).header("Accept-Encoding", "gzip").build());
		assertThat(compressed.header("Content-Encoding")).isEqualTo("gzip");
		assertThat(compressed.http().body()).hasSizeLessThan(5000);
		assertThat(compressed.hex()).isEqualTo(plain.hex());
	}

	@Test
	void watchesAreCompressed() {
		createAll(2);
		Answer compressed = this.client
			.send(this.client.request(WIDGETS + STATE, CborClient.CBOR).header("Accept-Encoding", "gzip").build());
		assertThat(compressed.header("Content-Encoding")).isEqualTo("gzip");
		assertThat(compressed.events()).containsExactly("ADDED w0", "ADDED w1", "BOOKMARK");
	}

	@Test
	void jsonIsUnchanged() {
		createAll(1);
		Answer answer = this.client.get(WIDGETS, "application/json");
		assertThat(answer.contentType()).isEqualTo("application/json");
		assertThat(answer.text()).startsWith("{\"kind\":\"WidgetList\",\"apiVersion\":\"example.com/v1\",\"items\":[{"
				+ "\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",");
	}

}
