package dev.reflector.integration;

import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.ConsistencyReport;
import dev.reflector.fixture.LongForm;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests a Spring Boot application that requests answers in another form than plain JSON.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AnswerFormIntegrationTests {

	private static void create(ResourceCollection widgets, String name, int size) {
		// the server compresses answers larger than 128 KiB
		widgets.create(
				Map.of("metadata", Map.of("name", name), "spec", Map.of("size", size, "padding", "x".repeat(100_000))));
	}

	private static void changesAreFollowed(MirrorApplication application, ResourceCollection widgets) {
		application.awaitEqualTo(widgets);
		create(widgets, "c", 3);
		widgets.mergePatch("default", "a", Map.of("spec", Map.of("size", 10)));
		application.awaitEqualTo(widgets);
		widgets.delete("default", "b");
		application.awaitEqualTo(widgets);
		assertThat(application.widgets.get("default", "a").spec().size()).isEqualTo(10);
		assertThat(application.heard.events).containsSubsequence("+a@2 initial", "synced", "+c@4", "~a@2>a@5", "-b");
		assertThat(application.heard.mistakes).isEmpty();
		// a listener may get a change a moment before the reflector records its version
		await().untilAsserted(
				() -> assertThat(application.reflector.lastSyncResourceVersion()).isEqualTo(widgets.resourceVersion()));
	}

	static Stream<Arguments> compressions() {
		return Stream
			.of(arguments("lists", "list", "gzip", "identity"), arguments("all", "stream", "gzip", "gzip"),
					arguments("all", "list", "gzip", "gzip"), arguments("none", "list", "identity", "identity"))
			.limit(LongForm.atMost(2));
	}

	@ParameterizedTest
	@MethodSource("compressions")
	void w62_w63_mirrorsCompressedAnswers(String compression, String initialList, String lists, String watches) {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.gzipWatches(true)
			.start()) {
			ResourceCollection widgets = server.resources("widgets");
			create(widgets, "a", 1);
			create(widgets, "b", 2);
			try (MirrorApplication application = MirrorApplication.on(server,
					"reflector.api-server.compression=" + compression, "reflector.watch.initial-list=" + initialList)) {
				changesAreFollowed(application, widgets);
				assertThat(server.requests(RecordedRequest::isList))
					.allSatisfy((request) -> assertThat(request.header("Accept-Encoding")).isEqualTo(lists));
				assertThat(server.requests(RecordedRequest::isWatch)).isNotEmpty()
					.allSatisfy((request) -> assertThat(request.header("Accept-Encoding")).isEqualTo(watches));
			}
		}
	}

	static Stream<Arguments> answersInCbor() {
		return Stream
			.of(arguments(true, "cbor", "list", "none"), arguments(true, "cbor", "stream", "all"),
					arguments(false, "cbor", "list", "none"), arguments(true, "cbor", "stream", "none"),
					arguments(true, "cbor", "list", "all"), arguments(false, "cbor", "stream", "none"))
			.limit(LongForm.atMost(3));
	}

	@ParameterizedTest
	@MethodSource("answersInCbor")
	void w61_mirrorsCborAnswersWhereTheServerHasThem(boolean offered, String format, String initialList,
			String compression) {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.cbor(offered)
			.gzipWatches(true)
			.start()) {
			ResourceCollection widgets = server.resources("widgets");
			create(widgets, "a", 1);
			create(widgets, "b", 2);
			try (MirrorApplication application = MirrorApplication.on(server, "reflector.api-server.format=" + format,
					"reflector.api-server.compression=" + compression, "reflector.watch.initial-list=" + initialList,
					"reflector.list.page-size=1")) {
				changesAreFollowed(application, widgets);
				application.reflector.relist();
				await().until(() -> application.reflector.status().counts().relists() == 1);
				application.awaitEqualTo(widgets);
				assertThat(application.reflector.verify().toCompletableFuture().join().result())
					.isEqualTo(ConsistencyReport.Result.EQUAL);
				assertThat(server.requests(RecordedRequest::isWatch)).isNotEmpty()
					.allSatisfy((request) -> assertThat(request.header("Accept"))
						.isEqualTo("application/cbor,application/json;q=0.9"));
				assertThat(application.reflector.status().counts().errors()).isZero();
			}
		}
	}

	static Stream<Arguments> answersInProtobuf() {
		return Stream.of(arguments("protobuf", "list"), arguments("protobuf", "stream"), arguments("auto", "list"))
			.limit(LongForm.atMost(1));
	}

	@ParameterizedTest
	@MethodSource("answersInProtobuf")
	void typesThatAreNotBuiltInComeInJsonWhereProtobufIsWanted(String format, String initialList) {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start()) {
			ResourceCollection widgets = server.resources("widgets");
			create(widgets, "a", 1);
			create(widgets, "b", 2);
			try (MirrorApplication application = MirrorApplication.on(server, "reflector.api-server.format=" + format,
					"reflector.watch.initial-list=" + initialList)) {
				changesAreFollowed(application, widgets);
				// asks for key and version, which are in protobuf what they are for all
				// types
				assertThat(application.reflector.verify().toCompletableFuture().join().result())
					.isEqualTo(ConsistencyReport.Result.EQUAL);
				assertThat(server.requests((request) -> true)).extracting((request) -> request.header("Accept"))
					.contains("application/json")
					.anyMatch(
							(accept) -> accept != null && accept.startsWith("application/vnd.kubernetes.protobuf;as="));
				assertThat(application.reflector.status().counts().errors()).isZero();
			}
		}
	}

}
