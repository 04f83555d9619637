package dev.reflector.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.reflector.GenericResource;
import dev.reflector.ObjectMeta;
import dev.reflector.ResourceKey;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.fixture.CborBytes;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.options.ClientOptions;
import dev.reflector.client.options.ObjectFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of responses in CBOR, and of servers without CBOR (W-26, W-61).
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(120)
class CborAnswerTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final String ACCEPT = "application/cbor,application/json;q=0.9";

	private static final byte[] A = CborBytes.of(Clients.json("a", 1));

	private static ClientOptions options() {
		return Clients.OPTIONS.withFormat(ObjectFormat.CBOR);
	}

	private static ListerWatcher<Widget> widgets(RawServer server) {
		return Clients.widgets(Clients.client(server.uri(), options()));
	}

	private static RawServer listing(byte[] body) throws IOException {
		return RawServer.answering("application/cbor", body);
	}

	private static RawServer stream(byte[]... frames) throws IOException {
		return RawServer.answering("application/cbor-seq", CborBytes.joined(frames));
	}

	private static byte[] body(byte[]... items) {
		return CborBytes.map("items", CborBytes.joined(CborBytes.head(4, items.length), CborBytes.joined(items)),
				"metadata", CborBytes.inner("{\"resourceVersion\":\"9\",\"continue\":\"more\"}"), "kind",
				CborBytes.text("WidgetList"), "apiVersion", CborBytes.text("example.com/v1"));
	}

	private static ListPage<Widget> page(RawServer server) {
		return widgets(server).list(Clients.list()).blockOptional(LIMIT).orElseThrow();
	}

	private static List<WatchEvent<Widget>> events(RawServer server) {
		return widgets(server).watch(Clients.watch())
			.filter(Clients::isFrame)
			.collectList()
			.blockOptional(LIMIT)
			.orElseThrow();
	}

	private static SkippedObject skipped(WatchEvent<?> event) {
		assertThat(event).isInstanceOf(WatchEvent.Skipped.class);
		return ((WatchEvent.Skipped<?>) event).object();
	}

	@Test
	void w61_aListIsThatOfJson() throws IOException {
		try (RawServer server = listing(body(A, CborBytes.of(Clients.json("b", 2))));
				RawServer json = RawServer.answering("{\"items\":[" + Clients.json("a", 1) + "]}")) {
			ListPage<Widget> page = page(server);
			assertThat(page.items()).extracting((widget) -> widget.metadata().name()).containsExactly("a", "b");
			assertThat(page.items().get(0)).isEqualTo(page(json).items().get(0));
			assertThat(page.resourceVersion()).isEqualTo("9");
			assertThat(page.continueToken()).isEqualTo("more");
			assertThat(page.skipped()).isEmpty();
			assertThat(server.requests()).singleElement()
				.satisfies((request) -> assertThat(request.headers()).containsEntry("accept", ACCEPT));
			assertThat(json.requests()).singleElement()
				.satisfies((request) -> assertThat(request.headers()).containsEntry("accept", ACCEPT));
		}
	}

	@Test
	void w61_manyItemsAreReadInAnyOrderOfTheListsKeys() throws IOException {
		byte[][] items = IntStream.range(0, 2000)
			.mapToObj((i) -> CborBytes.of(Clients.json("w" + i, i % 100)))
			.toArray(byte[][]::new);
		try (RawServer server = listing(body(items))) {
			assertThat(page(server).items()).hasSize(2000)
				.last()
				.satisfies((widget) -> assertThat(widget.metadata().name()).isEqualTo("w1999"));
		}
	}

	@Test
	void w26_framesAreReadInAnyOrderOfTheirKeys() throws IOException {
		byte[] objectFirst = CborBytes.map("object", A, "other", CborBytes.hex("83010203"), "type",
				CborBytes.text("MODIFIED"));
		byte[] bookmark = CborBytes.frame("BOOKMARK", CborBytes.of("""
				{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"resourceVersion":"12"}}"""));
		byte[] end = CborBytes.frame("BOOKMARK", CborBytes.of("""
				{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"resourceVersion":"13","annotations":\
				{"k8s.io/initial-events-end":"true"}}}"""));
		byte[] error = CborBytes.map("object", CborBytes.of("""
				{"kind":"Status","apiVersion":"v1","code":410,"reason":"Expired","message":"too old","details":\
				{"retryAfterSeconds":3}}"""), "type", CborBytes.text("ERROR"));
		try (RawServer server = stream(CborBytes.frame("ADDED", A), objectFirst, CborBytes.frame("DELETED", A),
				bookmark, end, error)) {
			List<WatchEvent<Widget>> events = events(server);
			assertThat(events).extracting((event) -> event.getClass().getSimpleName())
				.containsExactly("Added", "Modified", "Deleted", "Bookmark", "Bookmark", "Error");
			assertThat(((WatchEvent.Added<Widget>) events.get(0)).object())
				.isEqualTo(((WatchEvent.Modified<Widget>) events.get(1)).object());
			assertThat(events.get(3)).isEqualTo(new WatchEvent.Bookmark<>("12", false));
			assertThat(events.get(4)).isEqualTo(new WatchEvent.Bookmark<>("13", true));
			assertThat(((WatchEvent.Error<Widget>) events.get(5)).status()).satisfies((status) -> {
				assertThat(status.code()).isEqualTo(410);
				assertThat(status.reason()).isEqualTo("Expired");
				assertThat(status.retryAfterSeconds()).isEqualTo(3);
			});
			assertThat(server.requests()).singleElement()
				.satisfies((request) -> assertThat(request.headers()).containsEntry("accept", ACCEPT));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 406, 415 })
	void w61_afterARefusalOnlyJsonIsRequested(int code, CapturedOutput output) throws IOException {
		RawServer.Script script = (request, connection) -> {
			if (request.headers().getOrDefault("accept", "").contains("cbor")) {
				connection.head(code, "Content-Length: 0");
			}
			else if (request.target().contains("watch=true")) {
				connection.openWatch();
				connection.write(Clients.frame("ADDED", Clients.json("a", 1)));
			}
			else {
				connection.head(200, "Content-Type: application/json", "Connection: close");
				connection.write("{\"items\":[" + Clients.json("a", 1) + "]}");
			}
		};
		AtomicInteger fallbacks = new AtomicInteger();
		try (RawServer server = new RawServer(script)) {
			ApiServerClient client = Clients.client(server.uri(), options());
			ListerWatcher<Widget> widgets = Clients.widgets(client);
			for (int i = 0; i < 2; i++) {
				assertThat(widgets.list(Clients.list())
					.contextWrite((context) -> RequestListener.in(context, new RequestListener() {
						@Override
						public void formatRefused() {
							fallbacks.incrementAndGet();
						}
					}))
					.blockOptional(LIMIT)
					.orElseThrow()
					.items()).hasSize(1);
			}
			assertThat(widgets.watch(Clients.watch()).filter(Clients::isFrame).blockFirst(LIMIT))
				.isInstanceOf(WatchEvent.Added.class);
			assertThat(widgets.listVersions(Clients.list()).blockOptional(LIMIT)).isPresent();
			assertThat(fallbacks).hasValue(1);
			assertThat(server.requests()).extracting((request) -> request.headers().get("accept"))
				.startsWith(ACCEPT, "application/json", "application/json", "application/json")
				.filteredOn((accept) -> accept.contains("cbor"))
				.hasSize(1);
			assertThat(output).containsOnlyOnce("does not accept requests for CBOR");
			// another type may be served by another server
			assertThat(Clients.widgets(client).watch(Clients.watch()).filter(Clients::isFrame).blockFirst(LIMIT))
				.isInstanceOf(WatchEvent.Added.class);
			assertThat(server.requests()).filteredOn((request) -> ACCEPT.equals(request.headers().get("accept")))
				.hasSize(2);
		}
	}

	@Test
	void w59_metadataAloneComesInCborAsWell() throws IOException {
		byte[] partial = CborBytes.of("""
				{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","namespace":"ns",\
				"resourceVersion":"7"}}""");
		try (RawServer server = listing(body(partial))) {
			ListerWatcher<Named> named = Clients.client(server.uri(), options())
				.listerWatcher(Named.class, MetadataAccessor.forType(Named.class), Clients.WIDGETS, "", "");
			assertThat(named.list(Clients.list()).blockOptional(LIMIT).orElseThrow().items()).singleElement()
				.satisfies((object) -> assertThat(object.metadata().resourceVersion()).isEqualTo("7"));
			assertThat(widgets(server).listVersions(Clients.list()).blockOptional(LIMIT).orElseThrow().items())
				.singleElement()
				.satisfies((object) -> assertThat(object.key()).isEqualTo(ResourceKey.of("ns", "a")));
			String form = ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
			assertThat(server.requests()).hasSize(2)
				.allSatisfy((request) -> assertThat(request.headers()).containsEntry("accept", "application/cbor" + form
						+ ",application/json" + form + ";q=0.9,application/cbor;q=0.8,application/json;q=0.7"));
		}
	}

	@Test
	void typesWithoutAClassGetAllOfIt() throws IOException {
		byte[] secret = CborBytes.map("metadata", CborBytes.inner("{\"name\":\"a\",\"resourceVersion\":\"1\"}"), "data",
				CborBytes.map("k", CborBytes.hex("d643666f6f")), "size", CborBytes.hex("f93e00"));
		try (RawServer server = listing(body(secret))) {
			ListerWatcher<GenericResource> generic = Clients.client(server.uri(), options())
				.listerWatcher(GenericResource.class, MetadataAccessor.forType(GenericResource.class), Clients.WIDGETS,
						"", "");
			assertThat(generic.list(Clients.list()).blockOptional(LIMIT).orElseThrow().items()).singleElement()
				.satisfies((object) -> {
					// JSON has binary data as Base64
					assertThat(object.content().path("data").path("k").asString()).isEqualTo("Zm9v");
					assertThat(object.content().path("size").asDouble()).isEqualTo(1.5);
				});
		}
	}

	@Test
	void aFailureMayBeInCbor() throws IOException {
		byte[] body = CborBytes.of("""
				{"kind":"Status","apiVersion":"v1","code":410,"reason":"Expired","message":"too old"}""");
		for (int length : new int[] { body.length, body.length - 1 }) {
			RawServer.Script script = (request, connection) -> {
				connection.head(410, "Content-Type: application/cbor", "Content-Length: " + length);
				connection.write(Arrays.copyOf(body, length));
			};
			try (RawServer server = new RawServer(script)) {
				assertThatExceptionOfType(ApiException.class).isThrownBy(() -> page(server)).satisfies((ex) -> {
					assertThat(ex.status().code()).isEqualTo(410);
					// the client reads no object of an incomplete body, as with truncated
					// JSON
					assertThat(ex.status().message()).isEqualTo((length == body.length) ? "too old" : "");
				});
			}
		}
	}

	@Test
	void anInvalidObjectAffectsNoOtherObject() throws IOException {
		byte[] spec = CborBytes.map("replicas", CborBytes.hex("01"), "text", CborBytes.hex("41ff"));
		byte[] metadata = CborBytes.inner("{\"name\":\"x\",\"namespace\":\"ns\",\"resourceVersion\":\"3\"}");
		byte[] noText = CborBytes.map("spec", spec, "metadata", metadata);
		byte[] noNumber = CborBytes.map("metadata", metadata, "spec", CborBytes.of("{\"replicas\":\"many\"}"));
		byte[] deep = CborBytes.map("other", nested(100_000), "metadata", metadata);
		byte[] foreign = CborBytes.of("{\"kind\":\"Gadget\",\"metadata\":{\"name\":\"x\"}}");
		try (RawServer server = listing(body(noText, noNumber, deep, foreign, CborBytes.hex("f6"), A));
				RawServer watched = stream(CborBytes.frame("MODIFIED", noText), CborBytes.frame("ADDED", noNumber),
						CborBytes.map("object", deep, "type", CborBytes.text("ADDED")),
						CborBytes.frame("DELETED", foreign), CborBytes.map("type", CborBytes.text("ADDED")),
						CborBytes.frame("ADDED", A))) {
			ListPage<Widget> page = page(server);
			assertThat(page.items()).hasSize(1);
			assertThat(page.skipped()).extracting(SkippedObject::key)
				.containsExactly(ResourceKey.of("ns", "x"), ResourceKey.of("ns", "x"), ResourceKey.of("ns", "x"), null,
						null);
			assertThat(page.skipped()).extracting(SkippedObject::resourceVersion).startsWith("3", "3", "3");
			assertThat(page.skipped().get(0).reason()).contains("no valid CBOR", "no UTF-8");
			assertThat(page.skipped().get(1).reason()).contains("at spec.replicas does not fit");
			assertThat(page.skipped().get(2).reason()).contains("a limit of the parser", "nested deeper");
			assertThat(page.skipped().get(3).reason()).contains("another type");
			List<WatchEvent<Widget>> events = events(watched);
			assertThat(events).hasSize(6).last().isInstanceOf(WatchEvent.Added.class);
			assertThat(events.subList(0, 3)).extracting((event) -> skipped(event).key())
				.containsOnly(ResourceKey.of("ns", "x"));
			assertThat(skipped(events.get(0)).reason()).contains("no valid CBOR");
			assertThat(skipped(events.get(2)).reason()).contains("nested deeper");
			assertThat(skipped(events.get(3)).key()).isNull();
			assertThat(skipped(events.get(4)).reason()).contains("holds no object");
		}
	}

	@Test
	void w15_anItemOfATypedListIsNeverReadWithOtherValues() throws IOException {
		byte[] item = CborBytes.map("kind", CborBytes.text("Gadget"), "apiVersion", CborBytes.text("example.com/v1"),
				"metadata", CborBytes.inner("{\"name\":\"x\",\"namespace\":\"ns\",\"resourceVersion\":\"3\"}"), "spec",
				CborBytes.map("replicas", CborBytes.hex("fb7ff8000000000000")));
		byte[] list = CborBytes.map("kind", CborBytes.text("WidgetList"), "apiVersion",
				CborBytes.text("example.com/v1"), "items", CborBytes.joined(CborBytes.hex("81"), item));
		try (RawServer server = listing(list)) {
			ListPage<Widget> page = page(server);
			assertThat(page.items()).isEmpty();
			assertThat(page.skipped()).singleElement()
				.satisfies((object) -> assertThat(object.reason()).contains("no valid CBOR"));
		}
	}

	@Test
	void depthIsBoundedEvenIfTheApplicationAllowsMore() throws IOException {
		JsonMapper anyDepth = JsonMapper
			.builder(JsonFactory.builder()
				.streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(Integer.MAX_VALUE).build())
				.build())
			.build();
		byte[] deep = CborBytes.map("other", nested(1_000_000), "metadata",
				CborBytes.inner("{\"name\":\"x\",\"namespace\":\"ns\",\"resourceVersion\":\"3\"}"));
		try (RawServer server = listing(body(deep, A))) {
			ListPage<GenericResource> page = Clients.builder(server.uri())
				.options(options())
				.jsonMapper(anyDepth)
				.build()
				.listerWatcher(GenericResource.class, MetadataAccessor.forType(GenericResource.class), Clients.WIDGETS,
						"", "")
				.list(Clients.list())
				.blockOptional(LIMIT)
				.orElseThrow();
			assertThat(page.items()).singleElement()
				.satisfies((object) -> assertThat(object.metadata().name()).isEqualTo("a"));
			assertThat(page.skipped()).singleElement()
				.satisfies((object) -> assertThat(object.reason()).contains("nested deeper"));
		}
	}

	private static byte[] nested(int depth) {
		byte[] arrays = new byte[depth];
		Arrays.fill(arrays, (byte) 0x81);
		arrays[depth - 1] = (byte) 0x80;
		return arrays;
	}

	@Test
	void objectsThatAreTooLargeAreSkippedWithoutBeingKept() throws IOException {
		byte[] metadata = CborBytes.inner("{\"name\":\"x\",\"namespace\":\"ns\",\"resourceVersion\":\"3\"}");
		byte[] huge = CborBytes.map("metadata", metadata, "spec",
				CborBytes.map("text", CborBytes.text("x".repeat(5000))));
		// short in CBOR, long in JSON
		byte[] grown = CborBytes.map("metadata", metadata, "spec",
				CborBytes.map("text", CborBytes.text("\u0001".repeat(900))));
		ClientOptions options = Clients.maxObjectSize(2000).withFormat(ObjectFormat.CBOR);
		try (RawServer server = listing(body(huge, grown, A));
				RawServer watched = stream(CborBytes.frame("ADDED", huge), CborBytes.frame("ADDED", grown),
						CborBytes.frame("ADDED", A))) {
			ListPage<Widget> page = Clients.widgets(Clients.client(server.uri(), options))
				.list(Clients.list())
				.blockOptional(LIMIT)
				.orElseThrow();
			assertThat(page.items()).hasSize(1);
			assertThat(page.skipped()).hasSize(2).allSatisfy((object) -> {
				assertThat(object.key()).isEqualTo(ResourceKey.of("ns", "x"));
				assertThat(object.resourceVersion()).isEqualTo("3");
				assertThat(object.reason()).contains("reflector.api-server.max-object-size");
			});
			List<WatchEvent<Widget>> events = Clients.widgets(Clients.client(watched.uri(), options))
				.watch(Clients.watch())
				.filter(Clients::isFrame)
				.collectList()
				.blockOptional(LIMIT)
				.orElseThrow();
			assertThat(events).hasSize(3).last().isInstanceOf(WatchEvent.Added.class);
			assertThat(events.subList(0, 2)).allSatisfy((event) -> {
				assertThat(skipped(event).key()).isEqualTo(ResourceKey.of("ns", "x"));
				assertThat(skipped(event).reason()).contains("reflector.api-server.max-object-size");
			});
		}
	}

	@Test
	void anInvalidStreamEndsWithOneError() throws IOException {
		byte[] good = CborBytes.frame("ADDED", A);
		for (byte[] bad : List.of(CborBytes.hex("ff1c3d5e"),
				Clients.frame("ADDED", "{}").getBytes(StandardCharsets.UTF_8),
				CborBytes.map("type", CborBytes.text("SHUFFLED"), "object", A), CborBytes.map("object", A),
				CborBytes.map("type", CborBytes.text("ADDED"), "type", CborBytes.text("DELETED"), "object", A))) {
			try (RawServer server = stream(good, bad, good)) {
				List<WatchEvent<Widget>> events = events(server);
				assertThat(events).hasSize(2);
				assertThat(events.get(1)).isInstanceOfSatisfying(WatchEvent.Error.class,
						(error) -> assertThat(error.status().isUndecodable()).isTrue());
			}
		}
		try (RawServer server = stream(good, Arrays.copyOf(good, good.length - 1))) {
			assertThat(events(server)).singleElement().isInstanceOf(WatchEvent.Added.class);
		}
	}

	@Test
	void anInvalidOrIncompleteListIsAnError() throws IOException {
		byte[] good = body(A);
		byte[] status = CborBytes.of("{\"kind\":\"Status\",\"metadata\":{}}");
		for (byte[] bad : List.of(Arrays.copyOf(good, good.length - 1), CborBytes.hex("ff1c3d5e"), new byte[0], status,
				"{\"items\":[]}".getBytes(StandardCharsets.UTF_8), CborBytes.joined(good, new byte[1]),
				CborBytes.map("items", CborBytes.hex("80"), "metadata", CborBytes.hex("a1486a6f75726e616cf7ff")))) {
			try (RawServer server = listing(bad)) {
				assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> page(server))
					.withMessageContaining("was answered with success, but");
			}
		}
	}

	@Test
	void cborThatWasNotAskedForIsAnError() throws IOException {
		try (RawServer server = listing(body(A))) {
			assertThatExceptionOfType(MalformedResponseException.class)
				.isThrownBy(() -> Clients.widgets(server).list(Clients.list()).block(LIMIT))
				.withMessageContaining("content type 'application/cbor'");
			assertThat(server.requests()).singleElement()
				.satisfies((request) -> assertThat(request.headers()).containsEntry("accept", "application/json"));
		}
	}

	record Named(@Nullable ObjectMeta metadata) {

	}

}
