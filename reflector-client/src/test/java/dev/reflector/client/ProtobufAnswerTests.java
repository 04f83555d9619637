package dev.reflector.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.reflector.GenericResource;
import dev.reflector.ObjectMeta;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.CachedObjects;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.client.fixture.CborBytes;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.ProtoBytes;
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
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of responses in protobuf, and of servers and types without it (W-26, W-59).
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(120)
class ProtobufAnswerTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

	private static final String ACCEPT = PROTOBUF + ",application/json;q=0.9";

	private static final ResourceType PODS = ResourceType.of("v1", "Pod", "pods");

	private static ClientOptions options() {
		return Clients.OPTIONS.withFormat(ObjectFormat.PROTOBUF);
	}

	private static ListerWatcher<Pod> pods(RawServer server) {
		return pods(server, options());
	}

	private static ListerWatcher<Pod> pods(RawServer server, ClientOptions options) {
		return of(Pod.class, PODS, server, options);
	}

	private static <T> ListerWatcher<T> of(Class<T> type, ResourceType resourceType, RawServer server,
			ClientOptions options) {
		return Clients.client(server.uri(), options)
			.listerWatcher(type, MetadataAccessor.forType(type), resourceType, "", "");
	}

	private static RawServer listing(byte[] body) throws IOException {
		return RawServer.answering(PROTOBUF, body);
	}

	private static RawServer stream(byte[]... frames) throws IOException {
		return RawServer.answering(PROTOBUF + ";stream=watch", CborBytes.joined(frames));
	}

	private static <T> ListPage<T> page(ListerWatcher<T> source) {
		return source.list(Clients.list()).blockOptional(LIMIT).orElseThrow();
	}

	private static List<WatchEvent<Pod>> events(ListerWatcher<Pod> source) {
		return source.watch(Clients.watch()).filter(Clients::isFrame).collectList().blockOptional(LIMIT).orElseThrow();
	}

	private static SkippedObject skipped(WatchEvent<?> event) {
		assertThat(event).isInstanceOf(WatchEvent.Skipped.class);
		return ((WatchEvent.Skipped<?>) event).object();
	}

	private static List<String> accepted(RawServer server) {
		return server.requests().stream().map((request) -> request.headers().getOrDefault("accept", "")).toList();
	}

	private static byte[] metadata(String name) {
		return ProtoBytes.bytes(1, ProtoBytes.text(1, name), ProtoBytes.text(3, "ns"),
				ProtoBytes.text(5, "uid-" + name), ProtoBytes.text(6, "7"));
	}

	private static byte[] pod(String name) {
		return CborBytes.joined(metadata(name), ProtoBytes.bytes(2, ProtoBytes.text(10, "node")));
	}

	private static byte[] list(byte[]... pods) {
		byte[][] items = Arrays.stream(pods).map((pod) -> ProtoBytes.bytes(2, pod)).toArray(byte[][]::new);
		return ProtoBytes.object("v1", "PodList", ProtoBytes.bytes(1, ProtoBytes.text(2, "9")),
				CborBytes.joined(items));
	}

	private static byte[] event(String type, byte[] pod) {
		return ProtoBytes.frame(type, ProtoBytes.object("v1", "Pod", pod));
	}

	@Test
	void aListOfKubernetesIsThatOfJson() throws IOException {
		ProtoBytes.Written list = ProtoBytes.ofKubernetes("list");
		try (RawServer server = listing(list.protobuf());
				RawServer json = RawServer.answering("application/json", list.json())) {
			ListPage<Pod> page = page(pods(server));
			assertThat(page.items()).hasSize(3)
				.first()
				.satisfies((pod) -> assertThat(pod.spec()).isEqualTo(new Pod.Spec("node", null)));
			assertThat(page).isEqualTo(page(pods(json)));
			assertThat(page.resourceVersion()).isEqualTo("9");
			assertThat(page.continueToken()).isEqualTo("more");
			assertThat(accepted(server)).containsExactly(ACCEPT);
			assertThat(accepted(json)).containsExactly(ACCEPT);
		}
	}

	@Test
	void anEmptyListOfKubernetesIsEmpty() throws IOException {
		try (RawServer server = listing(ProtoBytes.ofKubernetes("empty list").protobuf())) {
			ListPage<Pod> page = page(pods(server));
			assertThat(page.items()).isEmpty();
			assertThat(page.resourceVersion()).isEqualTo("9");
			assertThat(page.continueToken()).isEmpty();
		}
	}

	@Test
	void w26_aWatchOfKubernetesIsThatOfJson() throws IOException {
		ProtoBytes.Written watch = ProtoBytes.ofKubernetes("watch");
		try (RawServer server = stream(watch.protobuf());
				RawServer json = RawServer.answering("application/json", watch.json())) {
			List<WatchEvent<Pod>> events = events(pods(server));
			assertThat(events).extracting((event) -> event.getClass().getSimpleName())
				.containsExactly("Added", "Modified", "Deleted", "Bookmark", "Bookmark", "Skipped", "Error");
			assertThat(events).isEqualTo(events(pods(json)));
			assertThat(events.get(3)).isEqualTo(new WatchEvent.Bookmark<>("12", false));
			assertThat(events.get(4)).isEqualTo(new WatchEvent.Bookmark<>("13", true));
			assertThat(((WatchEvent.Error<Pod>) events.get(6)).status()).satisfies((status) -> {
				assertThat(status.code()).isEqualTo(410);
				assertThat(status.reason()).isEqualTo("Expired");
				assertThat(status.retryAfterSeconds()).isEqualTo(3);
				assertThat(status.causes()).hasSize(1);
			});
			assertThat(accepted(server)).containsExactly(ACCEPT);
		}
	}

	@Test
	void manyItemsAreReadAndAllOfAnObjectWithoutAClass() throws IOException {
		byte[][] items = IntStream.range(0, 2000).mapToObj((i) -> pod("p" + i)).toArray(byte[][]::new);
		try (RawServer server = listing(list(items))) {
			assertThat(page(pods(server)).items()).hasSize(2000)
				.last()
				.satisfies((pod) -> assertThat(pod.metadata().name()).isEqualTo("p1999"));
		}
		ProtoBytes.Written written = ProtoBytes.ofKubernetes("v1 Pod 1");
		byte[] frame = ProtoBytes.frame("ADDED", written.protobuf());
		try (RawServer server = stream(frame)) {
			WatchEvent<GenericResource> event = of(GenericResource.class, PODS, server, options())
				.watch(Clients.watch())
				.filter(Clients::isFrame)
				.blockFirst(LIMIT);
			assertThat(event).isInstanceOf(WatchEvent.Added.class);
			assertThat(((WatchEvent.Added<GenericResource>) event).object().content().path("spec"))
				.isEqualTo(JsonMapper.shared().readTree(written.json()).path("spec"));
		}
	}

	@Test
	void w59_metadataAloneComesInProtobufOfEveryType() throws IOException {
		ProtoBytes.Written list = ProtoBytes.ofKubernetes("metadata");
		byte[] frame = ProtoBytes.frame("ADDED",
				ProtoBytes.object("meta.k8s.io/v1", "PartialObjectMetadata", metadata("a")));
		String form = ";as=PartialObjectMetadata%s;g=meta.k8s.io;v=v1";
		String accept = PROTOBUF + form + ",application/json" + form + ";q=0.9,application/json;q=0.8";
		try (RawServer server = listing(list.protobuf()); RawServer watched = stream(frame)) {
			assertThat(page(of(Named.class, Clients.WIDGETS, server, options())).items()).singleElement()
				.satisfies((object) -> assertThat(object.metadata().name()).isEqualTo("p0"));
			assertThat(Clients.widgets(Clients.client(server.uri(), options()))
				.listVersions(Clients.list())
				.blockOptional(LIMIT)
				.orElseThrow()
				.items()).singleElement()
				.satisfies((object) -> assertThat(object.key()).isEqualTo(ResourceKey.of("ns", "p0")));
			assertThat(pods(server).listVersions(Clients.list()).blockOptional(LIMIT).orElseThrow().items()).hasSize(1);
			assertThat(accepted(server)).containsOnly(accept.formatted("List", "List")).hasSize(3);
			assertThat(of(Named.class, Clients.WIDGETS, watched, options()).watch(Clients.watch())
				.filter(Clients::isFrame)
				.blockFirst(LIMIT)).isInstanceOf(WatchEvent.Added.class);
			assertThat(accepted(watched)).containsExactly(accept.formatted("", ""));
		}
	}

	@Test
	void otherTypesAreAskedForInJson() throws IOException {
		try (RawServer server = RawServer.answering("{\"items\":[" + Clients.json("a", 1) + "]}")) {
			assertThat(page(Clients.widgets(Clients.client(server.uri(), options()))).items()).hasSize(1);
			assertThat(accepted(server)).containsExactly("application/json");
		}
	}

	@Test
	void autoAsksForProtobufWhereATypeDeclaresLessThanEverything() throws IOException {
		ClientOptions auto = Clients.OPTIONS.withFormat(ObjectFormat.AUTO);
		try (RawServer server = RawServer.answering("{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[]}")) {
			page(pods(server, auto));
			page(of(GenericResource.class, PODS, server, auto));
			page(of(GenericResource.class, PODS, server, options()));
			assertThat(accepted(server)).containsExactly(ACCEPT, "application/json", ACCEPT);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 406, 415 })
	void afterARefusalOnlyJsonIsRequested(int code, CapturedOutput output) throws IOException {
		RawServer.Script script = (request, connection) -> {
			if (request.headers().getOrDefault("accept", "").contains("protobuf")) {
				connection.head(code, "Content-Length: 0");
			}
			else if (request.target().contains("watch=true")) {
				connection.openWatch();
				connection.write(Clients.frame("ADDED", "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1\"}}"));
			}
			else {
				connection.head(200, "Content-Type: application/json", "Connection: close");
				connection.write("{\"items\":[]}");
			}
		};
		AtomicInteger fallbacks = new AtomicInteger();
		try (RawServer server = new RawServer(script)) {
			ListerWatcher<Pod> pods = pods(server);
			for (int i = 0; i < 2; i++) {
				assertThat(pods.list(Clients.list())
					.contextWrite((context) -> RequestListener.in(context, new RequestListener() {
						@Override
						public void formatRefused() {
							fallbacks.incrementAndGet();
						}
					}))
					.blockOptional(LIMIT)).isPresent();
			}
			assertThat(pods.watch(Clients.watch()).filter(Clients::isFrame).blockFirst(LIMIT))
				.isInstanceOf(WatchEvent.Added.class);
			assertThat(pods.listVersions(Clients.list()).blockOptional(LIMIT)).isPresent();
			assertThat(fallbacks).hasValue(1);
			assertThat(accepted(server)).startsWith(ACCEPT, "application/json", "application/json", "application/json")
				.filteredOn((accept) -> accept.contains("protobuf"))
				.hasSize(1);
			assertThat(output).containsOnlyOnce("does not accept requests for protobuf");
		}
	}

	@Test
	void aFailureMayBeInProtobuf() throws IOException {
		byte[] body = ProtoBytes.ofKubernetes("failure").protobuf();
		for (int length : new int[] { body.length, body.length - 20, 3, 0 }) {
			RawServer.Script script = (request, connection) -> {
				connection.head(410, "Content-Type: " + PROTOBUF, "Content-Length: " + length);
				connection.write(Arrays.copyOf(body, length));
			};
			try (RawServer server = new RawServer(script)) {
				assertThatExceptionOfType(ApiException.class).isThrownBy(() -> page(pods(server))).satisfies((ex) -> {
					assertThat(ex.status().code()).isEqualTo(410);
					assertThat(ex.status().message().equals("too old")).isEqualTo(length == body.length);
				});
			}
		}
	}

	@Test
	void anInvalidObjectAffectsNoOtherObject() throws IOException {
		byte[] noText = CborBytes.joined(metadata("x"), ProtoBytes.bytes(2, ProtoBytes.bytes(10, CborBytes.hex("ff"))));
		byte[] group = CborBytes.joined(metadata("x"), CborBytes.hex("23"));
		byte[] noSpec = CborBytes.joined(metadata("x"), ProtoBytes.number(2, 1));
		byte[] noName = ProtoBytes.bytes(1, ProtoBytes.text(6, "3"));
		byte[] foreign = ProtoBytes.frame("DELETED", ProtoBytes.object("v1", "Service", metadata("x")));
		try (RawServer server = listing(list(noText, group, noSpec, noName, pod("a")));
				RawServer watched = stream(event("MODIFIED", noText), event("ADDED", group), event("DELETED", noSpec),
						event("ADDED", noName), foreign, ProtoBytes.frame(ProtoBytes.text(1, "ADDED")),
						event("ADDED", pod("a")))) {
			ListPage<Pod> page = page(pods(server));
			assertThat(page.items()).hasSize(1);
			assertThat(page.skipped()).extracting(SkippedObject::key)
				.containsExactly(ResourceKey.of("ns", "x"), ResourceKey.of("ns", "x"), ResourceKey.of("ns", "x"), null);
			assertThat(page.skipped().get(0).reason()).contains("no valid protobuf", "no UTF-8");
			assertThat(page.skipped().get(1).reason()).contains("no valid protobuf", "wire type 3");
			assertThat(page.skipped().get(2).reason()).contains("no valid protobuf", "another wire type");
			List<WatchEvent<Pod>> events = events(pods(watched));
			assertThat(events).hasSize(7).last().isInstanceOf(WatchEvent.Added.class);
			assertThat(events.subList(0, 3)).extracting((event) -> skipped(event).key())
				.containsOnly(ResourceKey.of("ns", "x"));
			assertThat(events.subList(0, 3)).extracting((event) -> skipped(event).resourceVersion()).containsOnly("7");
			assertThat(skipped(events.get(4)).key()).isNull();
			assertThat(skipped(events.get(4)).reason()).contains("another type");
			assertThat(skipped(events.get(5)).reason()).contains("holds no object");
		}
	}

	@Test
	void objectsThatAreTooLargeAreSkippedWithoutBeingKept() throws IOException {
		byte[] huge = CborBytes.joined(metadata("x"), ProtoBytes.bytes(2, ProtoBytes.text(10, "x".repeat(9000))));
		// short in protobuf, long in JSON
		byte[] grown = CborBytes.joined(metadata("x"), ProtoBytes.bytes(2, ProtoBytes.text(10, "\u0001".repeat(900))));
		// undeclared fields need no space in JSON
		byte[] undeclared = CborBytes.joined(pod("b"), ProtoBytes.bytes(77, new byte[1500]));
		ClientOptions options = Clients.maxObjectSize(2000).withFormat(ObjectFormat.PROTOBUF);
		try (RawServer server = listing(list(huge, grown, undeclared, pod("a")));
				RawServer watched = stream(event("ADDED", huge), event("ADDED", grown), event("ADDED", undeclared),
						event("ADDED", pod("a")))) {
			ListPage<Pod> page = page(pods(server, options));
			assertThat(page.items()).extracting((pod) -> pod.metadata().name()).containsExactly("b", "a");
			assertThat(page.skipped()).hasSize(2).allSatisfy((object) -> {
				assertThat(object.key()).isEqualTo(ResourceKey.of("ns", "x"));
				assertThat(object.resourceVersion()).isEqualTo("7");
				assertThat(object.reason()).contains("reflector.api-server.max-object-size");
			});
			List<WatchEvent<Pod>> events = events(pods(watched, options));
			assertThat(events).hasSize(4);
			assertThat(events.subList(2, 4)).hasOnlyElementsOfType(WatchEvent.Added.class);
			assertThat(events.subList(0, 2)).allSatisfy((event) -> {
				assertThat(skipped(event).key()).isEqualTo(ResourceKey.of("ns", "x"));
				assertThat(skipped(event).reason()).contains("reflector.api-server.max-object-size");
			});
		}
	}

	@Test
	void anInvalidStreamEndsWithOneError() throws IOException {
		byte[] good = event("ADDED", pod("a"));
		byte[] object = ProtoBytes.object("v1", "Pod", pod("a"));
		for (byte[] bad : List.of(CborBytes.hex("ffffffff"), "{\"type\":\"ADDED\"}".getBytes(StandardCharsets.UTF_8),
				event("SHUFFLED", pod("a")), ProtoBytes.frame(), ProtoBytes.frame(CborBytes.hex("0affff")),
				ProtoBytes.frame(ProtoBytes.bytes(2, ProtoBytes.bytes(1, object))),
				ProtoBytes.frame("ADDED", "{}".getBytes(StandardCharsets.UTF_8)),
				ProtoBytes.frame("ADDED", CborBytes.joined(object, ProtoBytes.text(3, "gzip"))),
				ProtoBytes.frame("ADDED", CborBytes.joined(object, ProtoBytes.bytes(2, pod("b")))),
				ProtoBytes.frame(ProtoBytes.bytes(1, CborBytes.hex("ff")),
						ProtoBytes.bytes(2, ProtoBytes.bytes(1, object))),
				ProtoBytes.frame(ProtoBytes.text(1, "ADDED"), ProtoBytes.text(1, "DELETED")),
				event("BOOKMARK", CborBytes.joined(metadata("x"), CborBytes.hex("07"))))) {
			try (RawServer server = stream(good, bad, good)) {
				List<WatchEvent<Pod>> events = events(pods(server));
				assertThat(events).hasSize(2);
				assertThat(events.get(1)).isInstanceOfSatisfying(WatchEvent.Error.class,
						(error) -> assertThat(error.status().isUndecodable()).isTrue());
			}
		}
		for (int missing : new int[] { 1, good.length - 2 }) {
			try (RawServer server = stream(good, Arrays.copyOf(good, good.length - missing))) {
				assertThat(events(pods(server))).singleElement().isInstanceOf(WatchEvent.Added.class);
			}
		}
	}

	@Test
	void anInvalidOrIncompleteListIsAnError() throws IOException {
		byte[] good = list(pod("a"));
		for (byte[] bad : List.of(Arrays.copyOf(good, good.length - 10), new byte[0],
				"{\"items\":[]}".getBytes(StandardCharsets.UTF_8),
				ProtoBytes.object("v1", "Status", ProtoBytes.text(2, "Failure")),
				ProtoBytes.object("meta.k8s.io/v1", "Table", ProtoBytes.bytes(1)),
				ProtoBytes.object("v1", "ServiceList", ProtoBytes.bytes(1), ProtoBytes.bytes(2, pod("a"))),
				ProtoBytes.object("v1", "", ProtoBytes.bytes(1)))) {
			try (RawServer server = listing(bad)) {
				assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> page(pods(server)))
					.withMessageContaining("was answered with success, but");
			}
		}
	}

	@Test
	void protobufThatWasNotAskedForIsAnError() throws IOException {
		try (RawServer server = listing(list(pod("a")))) {
			assertThatExceptionOfType(MalformedResponseException.class)
				.isThrownBy(() -> page(pods(server, Clients.OPTIONS)))
				.withMessageContaining("content type '" + PROTOBUF + "'");
			assertThat(accepted(server)).containsExactly("application/json");
		}
	}

	@Test
	void heldObjectsAreNotReadAgain() throws IOException {
		try (RawServer server = listing(list(pod("a"), pod("b")));
				RawServer watched = stream(event("ADDED", pod("a")), event("ADDED", pod("b")))) {
			List<Pod> first = page(pods(server)).items();
			CachedObjects<Pod> held = (key, uid,
					version) -> (key.name().equals("a") && uid.equals("uid-a") && version.equals("7")) ? first.get(0)
							: null;
			List<Pod> again = pods(server).list(Clients.list())
				.contextWrite((context) -> CachedObjects.in(context, held))
				.blockOptional(LIMIT)
				.orElseThrow()
				.items();
			assertThat(again).isEqualTo(first);
			assertThat(again.get(0)).isSameAs(first.get(0));
			assertThat(again.get(1)).isNotSameAs(first.get(1));
			List<WatchEvent<Pod>> events = pods(watched)
				.watch(new WatchOptions(null, "", Duration.ofMinutes(5), true, true))
				.filter(Clients::isFrame)
				.contextWrite((context) -> CachedObjects.in(context, held))
				.collectList()
				.blockOptional(LIMIT)
				.orElseThrow();
			assertThat(events).hasSize(2);
			assertThat(((WatchEvent.Added<Pod>) events.get(0)).object()).isSameAs(first.get(0));
			assertThat(((WatchEvent.Added<Pod>) events.get(1)).object()).isEqualTo(first.get(1));
		}
	}

	record Pod(ObjectMeta metadata, @Nullable Spec spec, @Nullable Status status) {

		record Spec(@Nullable String nodeName, @Nullable List<Container> containers) {

		}

		record Container(String name, @Nullable Map<String, String> limits) {

		}

		record Status(@Nullable String phase, @Nullable Instant startTime) {

		}

	}

	record Named(ObjectMeta metadata) {

	}

}
