package dev.reflector.test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.test.fixture.CborClient;
import dev.reflector.test.fixture.CborClient.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.cbor.CBORMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Faults within answers in CBOR.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CborFaultTests {

	private static final String WIDGETS = "/apis/example.com/v1/widgets";

	private static final String WATCH = WIDGETS + "?watch=true&allowWatchBookmarks=true";

	private EmbeddedApiServer server;

	private CborClient client;

	@BeforeEach
	void start() {
		this.server = EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).cbor(true).start();
		this.client = new CborClient(this.server);
		for (String name : List.of("a", "b", "c")) {
			this.server.resources("widgets")
				.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1)));
		}
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	private Answer play(String path, Fault fault) {
		this.server.fail((request) -> true, 1, fault);
		return this.client.get(path);
	}

	static Stream<Arguments> changesOfTheSecondEvent() {
		return Stream.of(arguments(EventFault.unknownType(), List.of("ADDED a", "FROBBED b", "ADDED c", "BOOKMARK")),
				arguments(EventFault.objectWithoutMetadata(), List.of("ADDED a", "ADDED", "ADDED c", "BOOKMARK")),
				arguments(EventFault.duplicate(), List.of("ADDED a", "ADDED b", "ADDED b", "ADDED c", "BOOKMARK")),
				arguments(EventFault.reordered(2), List.of("ADDED a", "ADDED c", "ADDED b", "BOOKMARK")),
				arguments(EventFault.bookmark("v1", "Pod", "7"),
						List.of("ADDED a", "BOOKMARK", "ADDED b", "ADDED c", "BOOKMARK")),
				arguments(EventFault.withoutEndMarker(), List.of("ADDED a", "ADDED b", "ADDED c")),
				arguments(EventFault.endInPlaceOfEndMarker(), List.of("ADDED a", "ADDED b", "ADDED c")),
				arguments(Fault.status(410), List.of("ADDED a", "ERROR")),
				arguments(Fault.drip(20_000), List.of("ADDED a", "ADDED b", "ADDED c", "BOOKMARK")),
				arguments(Fault.emptyWatch(), List.of("ADDED a")));
	}

	@ParameterizedTest
	@MethodSource("changesOfTheSecondEvent")
	void eventsAreSpoilt(Fault fault, List<String> events) {
		Answer answer = play(WATCH, fault.atEvent(2));
		assertThat(answer.contentType()).isEqualTo("application/cbor-seq");
		assertThat(answer.events()).isEqualTo(events);
	}

	@Test
	void objectsAreSpoilt() {
		JsonNode huge = play(WATCH, EventFault.hugeObject(100_000)).frames().get(0);
		assertThat(huge.at("/object/padding").asString()).hasSize(100_000);
		JsonNode deep = play(WATCH, EventFault.deepObject(50)).frames().get(0).at("/object/nested");
		assertThat(deep.toString()).isEqualTo("[".repeat(50) + "]".repeat(50));
		JsonNode misfit = play(WATCH, EventFault.objectThatDoesNotFit()).frames().get(0);
		assertThat(misfit.at("/object/spec").asString()).isEqualTo("does not fit");
		JsonNode marker = play(WATCH, EventFault.endMarkerSaying("false")).frames().get(3);
		assertThat(marker.at("/object/metadata/annotations/k8s.io~1initial-events-end").asString()).isEqualTo("false");
	}

	@Test
	void anErrorFrameIsTheLast() {
		List<JsonNode> frames = play(WATCH, Fault.status(410).atEvent(3)).frames();
		assertThat(frames).hasSize(3);
		assertThat(frames.get(2).at("/object/code").asInt()).isEqualTo(410);
	}

	@Test
	void bytesAreCutOff() {
		byte[] list = this.client.get(WIDGETS).bytes();
		assertThat(play(WIDGETS, Fault.endWithin(100)).bytes()).isEqualTo(Arrays.copyOf(list, 100));
		assertThat(play(WIDGETS, Fault.drip(20_000)).bytes()).isEqualTo(list);
		byte[] watch = this.client.get(WATCH).bytes();
		int first = this.client.get(WATCH).sequence().get(0).length;
		assertThat(play(WATCH, Fault.endWithin(5).atEvent(2)).bytes()).isEqualTo(Arrays.copyOf(watch, first + 5));
	}

	@Test
	void garbageIsNoCbor() {
		Answer answer = play(WIDGETS, Fault.garbage());
		assertThat(answer.contentType()).isEqualTo("application/cbor");
		assertThatExceptionOfType(JacksonException.class).isThrownBy(() -> new CBORMapper().readTree(answer.bytes()));
	}

	@Test
	void precedingBytesAreSentUnchanged() {
		byte[] answer = play(WATCH, EventFault.preceded("{}")).bytes();
		assertThat(new String(answer, StandardCharsets.ISO_8859_1)).startsWith("{}\u00d9\u00d9\u00f7");
	}

	@Test
	void itemsOfListsAreSpoilt() {
		assertThat(play(WIDGETS, EventFault.duplicate().atEvent(2)).names()).containsExactly("a", "b", "b", "c");
		JsonNode list = play(WIDGETS, EventFault.hugeObject(1000).atEvent(2)).value();
		assertThat(list.at("/items/1/padding").asString()).hasSize(1000);
		assertThat(list.at("/items/2/metadata/name").asString()).isEqualTo("c");
		assertThat(list.at("/metadata/resourceVersion").asString()).isEqualTo(this.server.resourceVersion());
	}

	@Test
	void w16_w22_listsAsAWholeAreSpoilt() {
		Answer empty = play(WIDGETS, ListFault.emptyPage());
		assertThat(empty.contentType()).isEqualTo("application/cbor");
		assertThat(empty.names()).isEmpty();
		String token = empty.value().at("/metadata/continue").asString();
		assertThat(this.client.get(WIDGETS + "?continue=" + token).names()).containsExactly("a", "b", "c");
		assertThat(play(WIDGETS, ListFault.nullItems()).value().path("items").isNull()).isTrue();
		JsonNode list = play(WIDGETS, ListFault.resourceVersion("0")).value();
		assertThat(list.at("/metadata/resourceVersion").asString()).isEqualTo("0");
	}

	@Test
	void faultsGoOnFromAnEvent() {
		Answer answer = play(WATCH, EventFault.unknownType().fromEvent(2));
		assertThat(answer.events()).containsExactly("ADDED a", "FROBBED b", "FROBBED c", "FROBBED");
	}

	@Test
	void faultsArePutTogether() {
		Answer answer = play(WATCH, EventFault.duplicate().atEvent(1).and(EventFault.unknownType().atEvent(2)));
		assertThat(answer.events()).containsExactly("ADDED a", "FROBBED a", "ADDED b", "ADDED c", "BOOKMARK");
	}

}
