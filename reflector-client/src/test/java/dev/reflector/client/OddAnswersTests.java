package dev.reflector.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.ObjectMeta;
import dev.reflector.ResourceType;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.TypeNotServedException;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchNotSupportedException;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.Connector;
import dev.reflector.client.fixture.RawServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests unusual answers that client-go accepts.
 */
class OddAnswersTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static ListPage<Widget> page(String body) throws IOException {
		try (RawServer server = RawServer.answering(body)) {
			return Clients.widgets(server).list(Clients.list()).block(LIMIT);
		}
	}

	private static <T> List<WatchEvent<T>> events(Class<T> type, WatchOptions options, String... frames)
			throws IOException {
		RawServer.Script script = (request, connection) -> {
			connection.head(200, "Content-Type: application/json", "Connection: close");
			connection.write(String.join("\n", frames));
		};
		try (RawServer server = new RawServer(script)) {
			return source(server, type).watch(options).filter(Clients::isFrame).collectList().block(LIMIT);
		}
	}

	private static <T> ListerWatcher<T> source(RawServer server, Class<T> type) {
		return Clients.client(server.uri(), Clients.OPTIONS)
			.listerWatcher(type, MetadataAccessor.forType(type), Clients.WIDGETS, "", "");
	}

	private static String widget(String version) {
		return "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"a\",\"namespace\":\"ns\","
				+ "\"resourceVersion\":\"" + version + "\"},\"spec\":{}}";
	}

	@Test
	void versionsUpTo8192CharactersAreRead() throws IOException {
		String version = "e".repeat(8192);
		ListPage<Widget> page = page("{\"kind\":\"WidgetList\",\"apiVersion\":\"example.com/v1\",\"metadata\":"
				+ "{\"resourceVersion\":\"" + version + "\"},\"items\":[" + widget(version) + "]}");
		assertThat(page.resourceVersion()).isEqualTo(version);
		assertThat(page.items()).hasSize(1);
		WatchOptions options = new WatchOptions(null, version, Duration.ofMinutes(5), true, false);
		List<WatchEvent<Widget>> events = events(Widget.class, options, Clients.frame("BOOKMARK", widget(version)),
				Clients.frame("BOOKMARK", widget(version + "e")));
		assertThat(events.get(0)).isEqualTo(new WatchEvent.Bookmark<>(version, false));
		assertThat(events.get(1)).isInstanceOfSatisfying(WatchEvent.Skipped.class,
				(skipped) -> assertThat(skipped.object().reason())
					.contains("has 8193 characters, more than the 8192 that are accepted"));
	}

	@Test
	void aBookmarkWithoutAVersionIsNoSkippedObject() throws IOException {
		assertThat(events(Widget.class, Clients.watch(), Clients.frame("BOOKMARK", widget("")),
				Clients.frame("BOOKMARK", "{\"metadata\":{\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}")))
			.containsExactly(new WatchEvent.Bookmark<>("", false), new WatchEvent.Bookmark<>("", false));
	}

	@ParameterizedTest
	@MethodSource("dev.reflector.client.fixture.Connector#some")
	void answersBeforeTheAnswerArePassedOver(Connector connector) throws IOException {
		RawServer.Script script = (request, connection) -> {
			connection.write("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n");
			connection.write("HTTP/1.1 102 Processing\r\n\r\n");
			connection.head(200, "Content-Type: application/json", "Connection: close");
			connection.write("{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[]}");
		};
		try (RawServer server = new RawServer(script)) {
			assertThat(connector.widgets(server).list(Clients.list()).block(LIMIT).resourceVersion()).isEqualTo("5");
		}
	}

	record Typed(String apiVersion, String kind, ObjectMeta metadata) {

	}

	static class TypedBean {

		private String kind;

		private String apiVersion;

		private ObjectMeta metadata;

		public String getKind() {
			return this.kind;
		}

		public void setKind(String kind) {
			this.kind = kind;
		}

		public String getApiVersion() {
			return this.apiVersion;
		}

		public void setApiVersion(String apiVersion) {
			this.apiVersion = apiVersion;
		}

		public ObjectMeta getMetadata() {
			return this.metadata;
		}

		public void setMetadata(ObjectMeta metadata) {
			this.metadata = metadata;
		}

	}

	@ParameterizedTest
	@ValueSource(strings = { "{ \"metadata\":{\"name\":\"a\"}}", "{\"metadata\":{\"name\":\"a\"},\"kind\":\"Widget\"}",
			"{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"a\"}}" })
	void itemsHaveTheTypeOfTheirList(String item) throws IOException {
		String body = "{\"kind\":\"WidgetList\",\"apiVersion\":\"example.com/v1\",\"metadata\":{},\"items\":[" + item
				+ "," + item + "]}";
		try (RawServer server = RawServer.answering(body)) {
			assertThat(source(server, Typed.class).list(Clients.list()).block(LIMIT).items()).hasSize(2)
				.allSatisfy((typed) -> {
					assertThat(typed.kind()).isEqualTo("Widget");
					assertThat(typed.apiVersion()).isEqualTo("example.com/v1");
				});
			assertThat(source(server, TypedBean.class).list(Clients.list()).block(LIMIT).items()).hasSize(2)
				.allSatisfy((typed) -> {
					assertThat(typed.getKind()).isEqualTo("Widget");
					assertThat(typed.getApiVersion()).isEqualTo("example.com/v1");
				});
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"resources\":null", "\"groupVersion\":\"example.com/v1\"", "\"resources\":[]" })
	void aGroupWithoutTypesServesNone(String resources) throws IOException {
		try (RawServer server = RawServer.answering("{\"kind\":\"APIResourceList\"," + resources + "}")) {
			ListerWatcher<Widget> source = Clients.client(server.uri(), Clients.OPTIONS)
				.listerWatcher(Widget.class, MetadataAccessor.forType(Widget.class),
						ResourceType.of("example.com/v1", "Widget", null), "", "");
			assertThatExceptionOfType(TypeNotServedException.class)
				.isThrownBy(() -> source.list(Clients.list()).block(LIMIT));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "[\"list\"]", "[\"list\",\"watch\"]" })
	void aTypeWithoutTheVerbWatchIsNotWatched(String verbs) throws IOException {
		RawServer.Script script = (request, connection) -> {
			boolean watch = request.target().contains("watch=");
			String body = request.target().contains("/widgets") ? "{\"items\":[]}"
					: "{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"widgets\",\"kind\":\"Widget\",\"verbs\":"
							+ verbs + "}]}";
			connection.head(watch ? 405 : 200, "Content-Type: application/json", "Connection: close");
			connection.write(watch ? "" : body);
		};
		try (RawServer server = new RawServer(script)) {
			ListerWatcher<Widget> source = Clients.client(server.uri(), Clients.OPTIONS)
				.listerWatcher(Widget.class, MetadataAccessor.forType(Widget.class),
						ResourceType.of("example.com/v1", "Widget", null), "", "");
			source.list(Clients.list()).block(LIMIT);
			assertThatExceptionOfType(WatchNotSupportedException.class)
				.isThrownBy(() -> source.watch(Clients.watch()).blockLast(LIMIT))
				.withMessage("the server lists example.com/v1 Widget, but does not watch it");
			assertThat(server.requests().stream().filter((request) -> request.target().contains("watch=")))
				.hasSize(verbs.contains("watch") ? 1 : 0);
		}
	}

	@Test
	void aTypeThatCanBeWatchedLaterIsWatched() throws IOException {
		AtomicReference<String> verbs = new AtomicReference<>("[\"list\"]");
		RawServer.Script script = (request, connection) -> {
			String body = request.target().contains("/widgets") ? "{\"items\":[]}"
					: "{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"widgets\",\"kind\":\"Widget\",\"verbs\":"
							+ verbs + "}]}";
			connection.head(200, "Content-Type: application/json", "Connection: close");
			connection.write(body);
		};
		try (RawServer server = new RawServer(script)) {
			ListerWatcher<Widget> source = Clients.client(server.uri(), Clients.OPTIONS)
				.listerWatcher(Widget.class, MetadataAccessor.forType(Widget.class),
						ResourceType.of("example.com/v1", "Widget", null), "", "");
			source.list(Clients.list()).block(LIMIT);
			assertThatExceptionOfType(WatchNotSupportedException.class)
				.isThrownBy(() -> source.watch(Clients.watch()).blockFirst(LIMIT));
			verbs.set("[\"list\",\"watch\"]");
			// waits a second, for which discovery is not repeated
			await().ignoreExceptionsInstanceOf(WatchNotSupportedException.class)
				.until(() -> source.watch(Clients.watch()).blockFirst(LIMIT) instanceof WatchEvent.Opened<Widget>);
		}
	}

	enum Phase {

		UP

	}

	record Sized(ObjectMeta metadata, Spec spec) {

		record Spec(int size, boolean on, String text, Duration pause, Phase phase) {

		}

	}

	@ParameterizedTest
	@ValueSource(strings = {
			"""
					"phase":"Up"|phase does not fit the Java type dev.reflector.client.OddAnswersTests$Phase: it is a JSON string \
					and names no constant; give one this name with @JsonProperty, or declare String""",
			"""
					"pause":"soon"|pause does not fit the Java type java.time.Duration: it is a JSON string; declare String""",
			"""
					"size":4294967296|size does not fit the Java type int: the JSON number is out of its range; declare long""",
			"""
					"size":"red"|size does not fit the Java type int: it is a JSON string; declare String""", """
					"size":{}|size does not fit the Java type int: it is a JSON object""", """
					"size":[1]|size does not fit the Java type int: it is a JSON array""", """
					"on":"maybe"|on does not fit the Java type boolean: it is a JSON string; declare String""", """
					"text":{"a":1}|text does not fit the Java type java.lang.String: it is a JSON object""" })
	void theReasonNamesFieldJsonTypeAndJavaType(String misfit) throws IOException {
		String[] parts = misfit.strip().split("\\|");
		try (RawServer server = RawServer
			.answering("{\"items\":[{\"metadata\":{\"name\":\"a\"},\"spec\":{" + parts[0] + "}}]}")) {
			assertThat(source(server, Sized.class).list(Clients.list()).block(LIMIT).skipped()).singleElement()
				.satisfies((skipped) -> assertThat(skipped.reason()).endsWith("the value at spec." + parts[1]));
		}
	}

}
