package dev.reflector.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import dev.reflector.ObjectMeta;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ConnectionException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.Connector;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.options.ClientOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Exceptions;
import reactor.test.StepVerifier;

import org.springframework.web.reactive.function.client.WebClientRequestException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the lists of {@link WebClientListerWatcher}, over a real socket.
 */
@ParameterizedClass
@MethodSource("dev.reflector.client.fixture.Connector#some")
class ListTests {

	@Parameter
	private Connector connector;

	private static final Duration LIMIT = Duration.ofSeconds(30);

	@Test
	void readsAPage() throws IOException {
		assertPage("{\"items\":[" + Clients.json("a", 1) + "," + Clients.json("b", 2)
				+ "],\"metadata\":{\"resourceVersion\":\"12\",\"continue\":\"c+/=\",\"remainingItemCount\":3},"
				+ "\"kind\":\"WidgetList\",\"apiVersion\":\"example.com/v1\"}", (page) -> {
					assertThat(page.items()).extracting((widget) -> widget.metadata().name()).containsExactly("a", "b");
					assertThat(page.items()).extracting((widget) -> widget.spec().replicas()).containsExactly(1, 2);
					assertThat(page.resourceVersion()).isEqualTo("12");
					assertThat(page.continueToken()).isEqualTo("c+/=");
					assertThat(page.skipped()).isEmpty();
				});
	}

	@Test
	void readsAPageWithoutItemsThatIsNotTheLast() throws IOException {
		assertPage(
				"{\"kind\":\"WidgetList\",\"metadata\":{\"resourceVersion\":\"12\",\"continue\":\"C1\"},\"items\":null}",
				(page) -> {
					assertThat(page.items()).isEmpty();
					assertThat(page.continueToken()).isEqualTo("C1");
				});
		assertPage("{\"kind\":\"WidgetList\",\"metadata\":{\"resourceVersion\":\"12\",\"continue\":\"\"}}", (page) -> {
			assertThat(page.items()).isEmpty();
			assertThat(page.continueToken()).isEmpty();
		});
	}

	@Test
	void readsItemsWithoutATypeOfTheirOwn() throws IOException {
		assertPage("{\"items\":[{\"metadata\":{\"name\":\"a\"},\"spec\":{}}]}",
				(page) -> assertThat(page.items()).extracting(Widget::spec).containsExactly(new Widget.Spec(0, null)));
	}

	@Test
	void skipsObjectsThatCannotBeRead() throws IOException {
		assertPage(
				"{\"items\":[" + Clients.json("a", 1) + "," + Clients.json("b", 666) + ",null,"
						+ Clients.json("c", 3).replace("Widget", "Gadget") + "," + Clients.json("d", 4) + "]}",
				(page) -> {
					assertThat(page.items()).extracting((widget) -> widget.metadata().name()).containsExactly("a", "d");
					assertThat(page.skipped()).extracting(SkippedObject::key)
						.containsExactly(new ResourceKey("ns", "b"), null, null);
				});
	}

	/** The keys of a Secret are not reported either. */
	@Test
	void keysOfMapsAreNotNamed() throws IOException {
		record Secret(ObjectMeta metadata, Map<String, Integer> data, Map<String, Map<String, Instant>> more) {

		}
		String head = "\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"a\"}";
		String body = "{\"items\":[{" + head + ",\"data\":{\"s3cret-key\":\"s3cret\"}},{" + head
				+ ",\"more\":{\"s3cret-key\":{\"s3cret-too\":\"s3cret\"}}}]}";
		try (RawServer server = RawServer.answering(body)) {
			ListPage<Secret> page = this.connector.client(server.uri(), Clients.OPTIONS)
				.listerWatcher(Secret.class, MetadataAccessor.forType(Secret.class), Clients.WIDGETS, "", "")
				.list(Clients.list())
				.block(LIMIT);
			assertThat(page.skipped()).extracting(SkippedObject::reason)
				.satisfiesExactly((reason) -> assertThat(reason).contains("at data.*").doesNotContain("s3cret"),
						(reason) -> assertThat(reason).contains("at more.*.*").doesNotContain("s3cret"));
		}
	}

	@Test
	void readsLargeObjectsAndSkipsThoseBeyondTheLimit() throws IOException {
		String large = Clients.json("large", 1)
			.replace("\"unknown\":", "\"x\":\"" + "y".repeat(5 << 20) + "\",\"unknown\":");
		String body = "{\"items\":[" + Clients.json("a", 1) + "," + large + "," + Clients.json("b", 2) + "]}";
		assertPage(body, (page) -> assertThat(page.items()).hasSize(3));
		try (RawServer server = RawServer.answering(body)) {
			StepVerifier
				.create(Clients.widgets(this.connector.client(server.uri(), Clients.maxObjectSize(100_000)))
					.list(Clients.list()))
				.assertNext((page) -> {
					assertThat(page.items()).hasSize(2);
					assertThat(page.skipped()).singleElement().satisfies((skipped) -> {
						assertThat(skipped.key()).isEqualTo(new ResourceKey("ns", "large"));
						assertThat(skipped.reason())
							.contains("reflector.api-server.max-object-size (maxObjectSize of ClientOptions) allows");
					});
				})
				.expectComplete()
				.verify(LIMIT);
		}
	}

	private void assertPage(String body, Consumer<ListPage<Widget>> assertions) throws IOException {
		try (RawServer server = RawServer.answering(body)) {
			StepVerifier.create(this.connector.widgets(server).list(Clients.list()))
				.assertNext(assertions)
				.expectComplete()
				.verify(LIMIT);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"metadata\":{\"resourceVersion\":\"12\"}}",
			"{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"a\"},\"spec\":{}}",
			"{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"a\"},\"items\":[]}",
			"{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}",
			"{\"kind\":\"WidgetList\",\"apiVersion\":\"example.com/v2\",\"metadata\":{},\"items\":[]}",
			"{\"kind\":\"WidgetCollection\",\"apiVersion\":\"example.com/v1\",\"metadata\":{}}",
			"{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{},\"items\":[]}",
			"{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\",\"items\":[]}", "", "<html>login</html>",
			"[]", "{}", "{\"items\":[{\"a\":1}", "{\"items\":[]",
			"{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{},\"rows\":[]}",
			"{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{},\"items\":[]}",
			"{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1beta1\",\"metadata\":{},\"items\":[]}",
			"{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{}}",
			"{\"items\":[],\"metadata\":{\"continue\":{}}}", "{\"items\":[],\"metadata\":{\"continue\" \"x\"}}" })
	void failsWhenTheBodyIsNoCompleteList(String body) throws IOException {
		try (RawServer server = RawServer.answering(body)) {
			StepVerifier.create(this.connector.widgets(server).list(Clients.list()))
				.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOf(MalformedResponseException.class)
					.hasMessageContaining("GET /apis/example.com/v1/widgets"))
				.verify(LIMIT);
		}
	}

	/** Every form that a correct server may send. */
	@ParameterizedTest
	@ValueSource(strings = { "{\"items\":null,\"metadata\":{\"resourceVersion\":\"1\"}}",
			"{\"kind\":\"WidgetList\",\"apiVersion\":\"example.com/v1\",\"metadata\":{},\"items\":null}",
			"{\"kind\":\"WidgetList\",\"apiVersion\":\"example.com/v1\",\"metadata\":{}}",
			"{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[]}",
			"{\"kind\":\"WidgetCollection\",\"apiVersion\":\"example.com/v1\",\"metadata\":{},\"items\":[]}" })
	void emptyListsAreOfAnyFormThatServersUse(String body) throws IOException {
		assertPage(body, (page) -> assertThat(page.items()).isEmpty());
	}

	@Test
	void theKindOfListsOfCustomResourcesIsFree() throws IOException {
		String widgets = "{\"kind\":\"Widgetry\",\"apiVersion\":\"example.com/v1\",\"items\":[" + Clients.json("a", 1)
				+ "]}";
		String empty = "{\"kind\":\"%s\",\"apiVersion\":\"example.com/v1\",\"items\":[]}";
		AtomicReference<String> body = new AtomicReference<>(widgets);
		try (RawServer server = new RawServer((request, connection) -> {
			connection.head(200, "Content-Type: application/json", "Connection: close");
			connection.write(body.get());
		})) {
			ListerWatcher<Widget> source = this.connector.widgets(server);
			assertThat(source.list(Clients.list()).block(LIMIT).items()).hasSize(1);
			body.set(empty.formatted("Widgetry"));
			assertThat(source.list(Clients.list()).block(LIMIT).items()).isEmpty();
			// the kind of earlier lists was another one
			body.set(empty.formatted("GadgetList"));
			StepVerifier.create(source.list(Clients.list()))
				.expectError(MalformedResponseException.class)
				.verify(LIMIT);
			body.set(empty.formatted("WidgetList"));
			assertThat(source.list(Clients.list()).block(LIMIT).items()).isEmpty();
		}
	}

	/** An item that names another type is of that type, whatever its list says. */
	@ParameterizedTest
	@ValueSource(strings = { "", "\"kind\":\"WidgetList\",",
			"\"kind\":\"GadgetList\",\"apiVersion\":\"example.com/v1\",", "\"kind\":\"List\",\"apiVersion\":\"v1\"," })
	void aListOfOnlyOtherObjectsIsRefused(String head) throws IOException {
		String gadget = Clients.json("a", 1).replace("Widget", "Gadget");
		assertRefused("{" + head + "\"items\":[" + gadget + "," + gadget + "]}");
	}

	@Test
	void theKindOfListsOfBuiltInResourcesIsFixed() throws IOException {
		for (String kind : new String[] { "PodList", "ConfigMap", "Gadgets" }) {
			String body = "{\"kind\":\"" + kind + "\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[]}";
			try (RawServer server = RawServer.answering(body)) {
				ListerWatcher<Widget> maps = this.connector.client(server.uri(), Clients.OPTIONS)
					.listerWatcher(Widget.class, MetadataAccessor.forType(Widget.class),
							ResourceType.of("v1", "ConfigMap", "configmaps"), "", "");
				StepVerifier.create(maps.list(Clients.list()))
					.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOf(MalformedResponseException.class)
						.hasMessageContaining("not a list of v1 ConfigMap")
						.hasMessageContaining(kind))
					.verify(LIMIT);
			}
		}
	}

	private void assertRefused(String body) throws IOException {
		try (RawServer server = RawServer.answering(body)) {
			StepVerifier.create(this.connector.widgets(server).list(Clients.list()))
				.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOf(MalformedResponseException.class)
					.hasMessageContaining("GET /apis/example.com/v1/widgets"))
				.verify(LIMIT);
		}
	}

	@Test
	void c054_aTableOfAnotherGroupIsAnObjectLikeAnyOther() throws IOException {
		String table = Clients.json("a", 1).replace("Widget", "Table");
		try (RawServer server = RawServer
			.answering("{\"kind\":\"TableList\",\"apiVersion\":\"example.com/v1\",\"metadata\":{},\"items\":[" + table
					+ "]}")) {
			ListerWatcher<Widget> tables = this.connector.client(server.uri(), Clients.OPTIONS)
				.listerWatcher(Widget.class, MetadataAccessor.forType(Widget.class),
						ResourceType.of("example.com/v1", "Table", "tables"), "", "");
			StepVerifier.create(tables.list(Clients.list()))
				.assertNext((page) -> assertThat(page.items()).hasSize(1))
				.expectComplete()
				.verify(LIMIT);
		}
	}

	@Test
	void failsWhenTheConnectionEndsEarly() throws IOException {
		RawServer.Script script = (request, connection) -> {
			connection.head(200, "Content-Type: application/json", "Content-Length: 1000");
			connection.write("{\"items\":[" + Clients.json("a", 1) + "]");
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(this.connector.widgets(server).list(Clients.list())).expectError().verify(LIMIT);
		}
	}

	@Test
	void failsWhenTheBodyIsCompressedNevertheless() throws IOException {
		RawServer.Script script = (request, connection) -> connection.head(200, "Content-Encoding: gzip",
				"Connection: close");
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(this.connector.widgets(server).list(Clients.list()))
				.expectErrorSatisfies((ex) -> assertThat(ex).hasMessageContaining("gzip"))
				.verify(LIMIT);
		}
	}

	@Test
	void failsWhenTheServerFallsSilent() throws Exception {
		RawServer.Script beforeTheAnswer = (request, connection) -> connection.awaitClose();
		RawServer.Script withinTheAnswer = (request, connection) -> {
			connection.openWatch();
			connection.write("{\"items\":[");
			connection.awaitClose();
		};
		// either one alone would be a long timeout
		Duration brief = Duration.ofMillis(200);
		failsWithTimeout(beforeTheAnswer, Clients.timeouts(brief, LIMIT), "reflector.api-server.response-timeout");
		failsWithTimeout(withinTheAnswer, Clients.timeouts(LIMIT, brief), "reflector.api-server.idle-timeout");
	}

	private void failsWithTimeout(RawServer.Script script, ClientOptions options, String property) throws Exception {
		CountDownLatch closed = new CountDownLatch(1);
		try (RawServer server = new RawServer((request, connection) -> {
			try {
				script.answer(request, connection);
			}
			finally {
				// or the connection was closed while this was writing
				closed.countDown();
			}
		})) {
			ListerWatcher<Widget> widgets = Clients.widgets(this.connector.client(server.uri(), options));
			// on a slow machine, the timeout may come before the request is sent
			await().until(() -> {
				StepVerifier.create(widgets.list(Clients.list()))
					.expectErrorSatisfies((ex) -> assertTimeout(ex, property))
					.verify(LIMIT);
				return !server.requests().isEmpty();
			});
			assertThat(closed.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)).as("closed by the client").isTrue();
		}
	}

	private static void assertTimeout(Throwable ex, String property) {
		assertThat(Exceptions.unwrap(ex)).isInstanceOf(TimeoutException.class).hasMessageContaining(property);
	}

	static void assertNotConnected(Throwable ex) {
		assertThat(ex)
			.isInstanceOfSatisfying(ConnectionException.class,
					(refused) -> assertThat(refused.reason()).isEqualTo("ConnectionRefused"))
			.hasCauseInstanceOf(WebClientRequestException.class);
	}

	@Test
	void keepsTheCauseWhenTheConnectionIsRefused() throws IOException {
		try (Socket unused = new Socket()) {
			// bound, so that the port is not reused, but not listening
			unused.bind(new InetSocketAddress("127.0.0.1", 0));
			ApiServerClient client = this.connector.client(URI.create("http://127.0.0.1:" + unused.getLocalPort()),
					Clients.OPTIONS);
			StepVerifier.create(Clients.widgets(client).list(Clients.list()))
				.expectErrorSatisfies(ListTests::assertNotConnected)
				.verify(LIMIT);
		}
	}

	@Test
	void reportsFailuresOfTheServer() throws IOException {
		RawServer.Script script = (request, connection) -> {
			connection.head(429, "Content-Type: text/plain", "Retry-After: 1", "Connection: close",
					"X-Kubernetes-PF-FlowSchema-UID: fs-1");
			connection.write("Too many requests");
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(this.connector.widgets(server).list(Clients.list()))
				.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOfSatisfying(ApiException.class, (failure) -> {
					assertThat(failure.status().isTooManyRequests()).isTrue();
					assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(1));
					assertThat(failure).hasMessageContaining("fs-1").hasMessageContaining("Too many requests");
				}))
				.verify(LIMIT);
		}
	}

	@Test
	void readsOnlyTheBeginningOfTheBodyOfAFailure() throws IOException {
		byte[] part = "x".repeat(10_000).getBytes(StandardCharsets.UTF_8);
		RawServer.Script endless = (request, connection) -> {
			connection.head(503, "Connection: close");
			while (true) {
				connection.write(part);
			}
		};
		RawServer.Script broken = (request, connection) -> {
			connection.head(503, "Content-Length: 1000");
			connection.write("xxx");
		};
		for (RawServer.Script script : new RawServer.Script[] { endless, broken }) {
			try (RawServer server = new RawServer(script)) {
				StepVerifier.create(this.connector.widgets(server).list(Clients.list()))
					.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOfSatisfying(ApiException.class,
							(failure) -> assertThat(failure.status().reason()).isEqualTo("ServiceUnavailable")))
					.verify(LIMIT);
			}
		}
	}

	@Test
	void doesNotFollowRedirects() throws IOException {
		RawServer.Script script = (request, connection) -> connection.head(302, "Location: /elsewhere",
				"Connection: close", "Content-Length: 0");
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(this.connector.widgets(server).list(Clients.list()))
				.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOf(ApiException.class))
				.verify(LIMIT);
			assertThat(server.requests()).hasSize(1);
		}
	}

	@Test
	void sendsTheGoldenRequest() throws IOException {
		try (RawServer server = RawServer.answering("{\"items\":[]}")) {
			StringBuilder token = new StringBuilder("one");
			ApiServer apiServer = new ApiServer(server.uri().resolve("/prefix/"), null, token::toString, "test");
			ApiServerClient client = this.connector.client(apiServer, Clients.OPTIONS);
			var widgets = client.listerWatcher(Widget.class, MetadataAccessor.forType(Widget.class), Clients.WIDGETS,
					"a=b,c", "");
			widgets.list(new ListOptions("ns", "0", 500, "")).block(LIMIT);
			token.replace(0, 3, "two");
			widgets.list(new ListOptions(null, "", 500, "a+b")).block(LIMIT);
			assertThat(server.requests()).extracting(RawServer.Request::target)
				.containsExactly(
						"/prefix/apis/example.com/v1/namespaces/ns/widgets?labelSelector=a%3Db%2Cc&resourceVersion=0"
								+ "&limit=500",
						"/prefix/apis/example.com/v1/widgets?labelSelector=a%3Db%2Cc&limit=500&continue=a%2Bb");
			assertThat(server.requests()).extracting((request) -> request.headers().get("authorization"))
				.containsExactly("Bearer one", "Bearer two");
			assertThat(server.requests().get(0).headers()).containsEntry("accept", "application/json")
				.containsEntry("accept-encoding", "identity")
				.containsEntry("user-agent", "reflector-test");
			assertThat(client).asString().doesNotContain("one").contains("test");
		}
	}

	@Test
	void sendsNoAuthorizationWithoutAToken() throws IOException {
		try (RawServer server = RawServer.answering("{\"items\":[]}")) {
			this.connector.widgets(server).list(Clients.list()).block(LIMIT);
			assertThat(server.requests().get(0).headers()).doesNotContainKey("authorization");
		}
	}

	@Test
	void failsWhenTheTokenCannotBeRead() throws IOException {
		try (RawServer server = RawServer.answering("{\"items\":[]}")) {
			ApiServer apiServer = new ApiServer(server.uri(), null, TokenSource.file(Path.of("/no/such/token")),
					"test");
			StepVerifier.create(Clients.widgets(this.connector.client(apiServer, Clients.OPTIONS)).list(Clients.list()))
				.expectErrorSatisfies((ex) -> assertThat(ex).hasMessageContaining("/no/such/token"))
				.verify(LIMIT);
			assertThat(server.requests()).isEmpty();
		}
	}

	@Test
	void isCold() throws IOException {
		try (RawServer server = RawServer.answering("{\"items\":[" + Clients.json("a", 1) + "]}")) {
			var list = this.connector.widgets(server).list(Clients.list());
			assertThat(server.requests()).isEmpty();
			assertThat(list.block(LIMIT).items()).hasSize(1);
			assertThat(list.block(LIMIT).items()).hasSize(1);
			assertThat(server.requests()).hasSize(2);
		}
	}

}
