package dev.reflector.client.internal.bind;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.reflector.GenericResource;
import dev.reflector.ObjectMeta;
import dev.reflector.ResourceKey;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.client.internal.frame.MalformedResponseException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of requests for metadata alone, over a real socket.
 */
@ExtendWith(OutputCaptureExtension.class)
class MetadataOnlyTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final String LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

	private static final String WATCH = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

	private static final String PARTIAL = "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
			+ "\"metadata\":{\"name\":\"a\",\"namespace\":\"ns\",\"resourceVersion\":\"7\"}}";

	private static final String PARTIAL_LIST = "{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":"
			+ "\"meta.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\"12\"},\"items\":[" + PARTIAL + "]}";

	private static ListerWatcher<Named> named(RawServer server) {
		return Clients.client(server.uri(), Clients.OPTIONS)
			.listerWatcher(Named.class, MetadataAccessor.forType(Named.class), Clients.WIDGETS, "", "");
	}

	private static ListerWatcher<GenericResource> generic(RawServer server, boolean metadataOnly) {
		return Clients.client(server.uri(), Clients.OPTIONS)
			.listerWatcher(GenericResource.class, MetadataAccessor.forType(GenericResource.class), Clients.WIDGETS, "",
					"", metadataOnly);
	}

	@Test
	void typeThatDeclaresOnlyMetadataAsksForNoMore() throws IOException {
		try (RawServer server = RawServer.answering(PARTIAL_LIST)) {
			var page = named(server).list(Clients.list()).block(LIMIT);
			assertThat(page.items()).extracting((object) -> object.metadata().name()).containsExactly("a");
			assertThat(page.resourceVersion()).isEqualTo("12");
			assertThat(page.skipped()).isEmpty();
			assertThat(server.requests()).singleElement()
				.satisfies((request) -> assertThat(request.headers()).containsEntry("accept", LIST));
		}
	}

	@Test
	void x28_fullObjectsAreStripped() throws IOException {
		String body = "{\"kind\":\"WidgetList\",\"apiVersion\":\"example.com/v1\",\"metadata\":{},\"items\":["
				+ Clients.json("a", 1) + "]}";
		try (RawServer server = RawServer.answering(body)) {
			assertThat(named(server).list(Clients.list()).block(LIMIT).items())
				.extracting((object) -> object.metadata().resourceVersion())
				.containsExactly("7");
			assertThat(generic(server, true).list(Clients.list()).block(LIMIT).items()).singleElement()
				.satisfies((object) -> assertThat(object.content().propertyNames()).containsExactly("apiVersion",
						"kind", "metadata"));
		}
	}

	@Test
	void watchHasFramesAndBookmarksOfTheOtherKind() throws IOException {
		String marker = PARTIAL.replace("\"name\":\"a\",\"namespace\":\"ns\",",
				"\"annotations\":{\"k8s.io/initial-events-end\":\"true\"},");
		try (RawServer server = RawServer.answering(Clients.frame("ADDED", PARTIAL) + Clients.frame("BOOKMARK", marker)
				+ Clients.frame("MODIFIED", Clients.json("b", 1)) + Clients.frame("DELETED", PARTIAL)
				+ Clients.frame("ADDED", PARTIAL.replace("PartialObjectMetadata", "Gadget")))) {
			List<WatchEvent<Named>> events = named(server).watch(Clients.watch())
				.filter(Clients::isFrame)
				.collectList()
				.block(LIMIT);
			assertThat(events).hasSize(5);
			assertThat(events.get(0)).isInstanceOfSatisfying(WatchEvent.Added.class,
					(added) -> assertThat(((Named) added.object()).metadata().name()).isEqualTo("a"));
			assertThat(events.get(1)).isEqualTo(new WatchEvent.Bookmark<>("7", true));
			assertThat(events.get(2)).isInstanceOf(WatchEvent.Modified.class);
			assertThat(events.get(3)).isInstanceOf(WatchEvent.Deleted.class);
			assertThat(events.get(4)).isInstanceOfSatisfying(WatchEvent.Skipped.class,
					(skipped) -> assertThat(skipped.object().key()).as("another object").isNull());
			assertThat(server.requests().get(0).headers()).containsEntry("accept", WATCH);
		}
	}

	@Test
	void typeThatDeclaresMoreAsksForAllAndTakesNoOtherKind() throws IOException {
		try (RawServer server = RawServer.answering(PARTIAL_LIST)) {
			assertThatExceptionOfType(MalformedResponseException.class)
				.isThrownBy(() -> Clients.widgets(server).list(Clients.list()).block(LIMIT))
				.withMessageContaining("PartialObjectMetadataList of meta.k8s.io/v1");
			assertThat(server.requests().get(0).headers()).containsEntry("accept", "application/json");
		}
	}

	@Test
	void aGenericResourceIsMetadataOnlyOnRequest() throws IOException {
		try (RawServer server = RawServer.answering(PARTIAL_LIST)) {
			assertThat(generic(server, true).list(Clients.list()).block(LIMIT).items()).singleElement()
				.satisfies((object) -> {
					assertThat(object.kind()).isEqualTo("Widget");
					assertThat(object.apiVersion()).isEqualTo("example.com/v1");
					assertThat(object.metadata().name()).isEqualTo("a");
				});
			generic(server, false).list(Clients.list()).onErrorComplete().block(LIMIT);
			assertThat(server.requests()).extracting((request) -> request.headers().get("accept"))
				.containsExactly(LIST, "application/json");
		}
	}

	@Test
	void serverThatRefusesIsNotAskedAgain(CapturedOutput output) throws IOException {
		try (RawServer server = new RawServer((request, connection) -> {
			if (request.headers().get("accept").contains("Partial")) {
				connection.head(406, "Connection: close");
			}
			else if (request.target().contains("watch=true")) {
				connection.openWatch();
				connection.write(Clients.frame("ADDED", Clients.json("b", 1)));
			}
			else {
				connection.openWatch();
				connection.write("{\"metadata\":{},\"items\":[" + Clients.json("a", 1) + "]}");
			}
		})) {
			ListerWatcher<Named> named = named(server);
			assertThat(named.watch(Clients.watch()).filter(Clients::isFrame).collectList().block(LIMIT)).singleElement()
				.isInstanceOf(WatchEvent.Added.class);
			assertThat(named.list(Clients.list()).block(LIMIT).items()).hasSize(1);
			assertThat(server.requests()).extracting((request) -> request.headers().get("accept"))
				.containsExactly(WATCH, "application/json", "application/json");
		}
		assertThat(output).containsOnlyOnce("the server does not send metadata alone");
	}

	@ParameterizedTest
	@ValueSource(strings = { "list", "watch" })
	void otherRefusalsAreNoReasonToAskForMore(String verb) throws IOException {
		try (RawServer server = new RawServer((request, connection) -> connection.head(403, "Connection: close"))) {
			ListerWatcher<Named> named = named(server);
			assertThat((verb.equals("list") ? named.list(Clients.list()).then() : named.watch(Clients.watch()).then())
				.onErrorResume((ex) -> Mono.empty())
				.blockOptional(LIMIT)).isEmpty();
			assertThat(server.requests()).hasSize(1);
		}
	}

	@Test
	void versionsAreListedWithoutReadingObjects() throws IOException {
		String body = "{\"metadata\":{\"resourceVersion\":\"12\",\"continue\":\"C\"},\"items\":["
				+ Clients.json("a", 666) + "," + PARTIAL.replace("\"a\"", "\"b\"") + ",{\"metadata\":{}},"
				+ Clients.json("c", 1).replace("Widget", "Gadget") + "]}";
		try (RawServer server = RawServer.answering(body)) {
			var page = Clients.widgets(server)
				.listVersions(new ListOptions("ns", "12", 500, "", ListOptions.ResourceVersionMatch.EXACT))
				.block(LIMIT);
			assertThat(page.items()).containsExactly(new ObjectVersion(new ResourceKey("ns", "a"), "7"),
					new ObjectVersion(new ResourceKey("ns", "b"), "7"));
			assertThat(page.skipped()).extracting(SkippedObject::key).containsExactly(null, new ResourceKey("ns", "c"));
			assertThat(page.continueToken()).isEqualTo("C");
			assertThat(server.requests()).singleElement().satisfies((request) -> {
				assertThat(request.target())
					.endsWith("/namespaces/ns/widgets?resourceVersion=12&resourceVersionMatch=Exact&limit=500");
				assertThat(request.headers()).containsEntry("accept", LIST);
			});
		}
	}

	@Test
	void exactNeedsAVersion() {
		for (String version : List.of("", "0")) {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> new ListOptions(null, version, 0, "", ListOptions.ResourceVersionMatch.EXACT));
		}
	}

	@Test
	void theFieldsShowWhetherATypeDeclaresOnlyMetadata() {
		assertThat(List.of(Named.class, Bean.class)).allMatch(MetadataOnly::declares);
		assertThat(List.of(Clients.Widget.class, GenericResource.class, AnySetter.class, Setter.class, Child.class))
			.noneMatch(MetadataOnly::declares);
	}

	@Test
	void metadataAloneIsNotForTypesThatDeclareMore() throws IOException {
		try (RawServer server = RawServer.answering(PARTIAL_LIST)) {
			ApiServerClient client = Clients.client(server.uri(), Clients.OPTIONS);
			assertThatIllegalArgumentException()
				.isThrownBy(() -> client.listerWatcher(Clients.Widget.class,
						MetadataAccessor.forType(Clients.Widget.class), Clients.WIDGETS, "", "", true))
				.withMessageContaining("declares more than metadata");
			client.listerWatcher(Named.class, MetadataAccessor.forType(Named.class), Clients.WIDGETS, "", "", false)
				.list(Clients.list())
				.onErrorComplete()
				.block(LIMIT);
			assertThat(server.requests().get(0).headers()).containsEntry("accept", "application/json");
		}
	}

	record Named(ObjectMeta metadata) {

		static final String TEXT = "a constant";

	}

	static class Bean {

		private @Nullable ObjectMeta metadata;

		public @Nullable ObjectMeta getMetadata() {
			return this.metadata;
		}

		public void setMetadata(ObjectMeta metadata) {
			this.metadata = metadata;
		}

	}

	static class Setter extends Bean {

		public void setSpec(String spec) {
			getMetadata();
		}

	}

	static class AnySetter extends Bean {

		@JsonAnySetter
		public void other(String name, Object value) {
			getMetadata();
		}

	}

	static class Child extends Bean {

		@Nullable String spec;

	}

}
