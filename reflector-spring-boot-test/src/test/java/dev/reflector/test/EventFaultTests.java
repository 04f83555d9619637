package dev.reflector.test;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.reflector.test.fixture.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Faults within proper answers, over real sockets.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EventFaultTests {

	private static final String ALL = "/apis/example.com/v1/widgets";

	private static final String STREAMED = ALL
			+ "?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

	private EmbeddedApiServer server;

	private TestClient client;

	@BeforeEach
	void start() {
		this.server = EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).start();
		this.client = new TestClient(this.server);
		create("a");
		create("b");
		create("c");
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	private void create(String name) {
		this.server.resources("widgets").create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1)));
	}

	private TestClient.Stream watch(Fault fault) {
		this.server.fail(RecordedRequest::isWatch, 1, fault);
		return this.client.watch(ALL);
	}

	private List<String> lines(Fault fault) {
		List<String> lines = new ArrayList<>();
		try (TestClient.Stream watch = watch(fault)) {
			for (String line = watch.lineOrEnd(); line != null; line = watch.lineOrEnd()) {
				lines.add(line);
			}
		}
		return lines;
	}

	@Test
	void theOtherEventsAreDelivered() {
		try (TestClient.Stream watch = watch(EventFault.unknownType().atEvent(2))) {
			create("d");
			assertThat(watch.events(4)).containsExactly("ADDED a@2", "FROBBED b@3", "ADDED c@4", "ADDED d@5");
		}
	}

	@Test
	void anErrorFrameIsTheLast() {
		List<String> lines = lines(Fault.status(429).withRetryAfter(2).atEvent(3));
		assertThat(lines).hasSize(3);
		assertThat(lines.get(2)).contains("\"type\":\"ERROR\"")
			.contains("\"code\":429")
			.contains("\"retryAfterSeconds\":2");
		assertThat(lines(Fault.status(503).withRetryAfter(Instant.EPOCH).atEvent(1))).singleElement()
			.asString()
			.contains("\"code\":503")
			.contains("\"retryAfterSeconds\":0");
	}

	@Test
	void streamsEndWhereTheyShouldNot() {
		assertThat(lines(Fault.emptyWatch().atEvent(3))).hasSize(2);
		assertThat(lines(Fault.endWithin(10).atEvent(2))).hasSize(2).last().isEqualTo("{\"type\":\"A");
		assertThat(lines(Fault.response(200, "text/html", "<html>").atEvent(2))).hasSize(2).last().isEqualTo("<html>");
	}

	@Test
	void connectionsBreakWithinStreams() {
		ResourceCollection widgets = this.server.resources("widgets");
		for (Fault fault : List.of(Fault.reset(), Fault.disconnect(), Fault.truncate(10),
				Fault.outage(Duration.ofMillis(100)))) {
			widgets.delete("default", "c");
			try (TestClient.Stream watch = watch(fault.atEvent(3))) {
				assertThat(watch.events(2)).containsExactly("ADDED a@2", "ADDED b@3");
				// not before: bytes right before a break may be lost on the client's side
				create("c");
				assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(watch::lineOrEnd);
			}
			this.server.start();
		}
	}

	@Test
	void garbageComesAhead() {
		try (TestClient.Stream watch = watch(Fault.garbage().atEvent(2))) {
			assertThat(watch.event()).isEqualTo("ADDED a@2");
			assertThat(watch.lineOrEnd()).startsWith("{\"");
			assertThat(watch.event()).isEqualTo("ADDED b@3");
		}
	}

	@Test
	void objectsAreSpoilt() {
		try (TestClient.Stream watch = watch(EventFault.objectThatDoesNotFit().atEvent(2))) {
			assertThat(watch.next().at("/object/spec/size").asInt()).isEqualTo(1);
			JsonNode spoilt = watch.next();
			assertThat(spoilt.at("/object/spec").asString()).isEqualTo("does not fit");
			assertThat(spoilt.at("/object/metadata/name").asString()).isEqualTo("b");
		}
		try (TestClient.Stream watch = watch(EventFault.objectWithoutMetadata())) {
			JsonNode spoilt = watch.next();
			assertThat(spoilt.at("/object/metadata").isMissingNode()).isTrue();
			assertThat(spoilt.at("/object/spec/size").asInt()).isEqualTo(1);
		}
		assertThat(lines(EventFault.hugeObject(1_000_000).and(Fault.emptyWatch().atEvent(3))).get(0))
			.hasSizeGreaterThan(1_000_000)
			.endsWith("x\"}}");
		assertThat(lines(EventFault.deepObject(50_000).and(Fault.emptyWatch().atEvent(2))).get(0))
			.contains("[".repeat(50_000) + "]".repeat(50_000) + "}}");
	}

	@Test
	void eventsComeTwiceOrInAnotherOrder() {
		try (TestClient.Stream watch = watch(EventFault.duplicate().atEvent(2))) {
			assertThat(watch.events(4)).containsExactly("ADDED a@2", "ADDED b@3", "ADDED b@3", "ADDED c@4");
		}
		try (TestClient.Stream watch = watch(EventFault.reordered(2).atEvent(2))) {
			create("d");
			assertThat(watch.events(4)).containsExactly("ADDED a@2", "ADDED c@4", "ADDED b@3", "ADDED d@5");
		}
	}

	@Test
	void faultsGoOnFromAnEvent() {
		try (TestClient.Stream watch = watch(EventFault.unknownType().fromEvent(2))) {
			create("d");
			assertThat(watch.events(4)).containsExactly("ADDED a@2", "FROBBED b@3", "FROBBED c@4", "FROBBED d@5");
		}
		try (TestClient.Stream watch = watch(EventFault.duplicate().fromEvent(3))) {
			assertThat(watch.events(6)).containsExactly("ADDED a@2", "ADDED b@3", "ADDED c@4", "ADDED c@4", "ADDED d@5",
					"ADDED d@5");
		}
		try (TestClient.Stream watch = watch(EventFault.bookmark("example.com/v1", "Widget", "1").fromEvent(2))) {
			assertThat(watch.events(5)).containsExactly("ADDED a@2", "BOOKMARK @1", "ADDED b@3", "BOOKMARK @1",
					"ADDED c@4");
		}
		try (TestClient.Stream watch = watch(EventFault.objectWithoutMetadata().fromEvent(1))) {
			assertThat(watch.events(4)).containsOnly("ADDED @");
		}
		assertThat(lines(Fault.status(410).fromEvent(3))).hasSize(3).last().asString().contains("\"code\":410");
	}

	@Test
	void orderChangesFromAnEventOnAndNothingIsLostAtTheEnd() {
		create("d");
		create("e");
		try (TestClient.Stream watch = watch(EventFault.reordered(2).fromEvent(2))) {
			assertThat(watch.events(5)).containsExactly("ADDED a@2", "ADDED c@4", "ADDED b@3", "ADDED e@6",
					"ADDED d@5");
			create("f");
			create("g");
			assertThat(watch.events(2)).containsExactly("ADDED g@8", "ADDED f@7");
		}
		this.server.fail(RecordedRequest::isWatch, 1, EventFault.reordered(9).atEvent(6));
		try (TestClient.Stream watch = this.client.watch(ALL)) {
			assertThat(watch.events(5)).last().isEqualTo("ADDED e@6");
			this.server.closeWatches();
			assertThat(watch.events(2)).containsExactly("ADDED g@8", "ADDED f@7");
			assertThat(watch.lineOrEnd()).isNull();
		}
		this.server.fail(RecordedRequest::isList, 1, EventFault.reordered(3).fromEvent(1));
		assertThat(this.client.get(ALL).names()).containsExactly("c", "b", "a", "f", "e", "d", "g");
	}

	@Test
	void bookmarksComeAsTheyShouldNot() {
		try (TestClient.Stream watch = watch(EventFault.bookmark("other/v1", "Gadget", null).atEvent(2))) {
			assertThat(watch.event()).isEqualTo("ADDED a@2");
			JsonNode bookmark = watch.next();
			assertThat(bookmark.path("type").asString()).isEqualTo("BOOKMARK");
			assertThat(bookmark.at("/object/kind").asString()).isEqualTo("Gadget");
			assertThat(watch.event()).isEqualTo("ADDED b@3");
		}
		try (TestClient.Stream watch = watch(EventFault.preceded("{}\n"))) {
			assertThat(watch.next()).isEmpty();
			assertThat(watch.event()).isEqualTo("ADDED a@2");
		}
	}

	@Test
	void theEndMarkerIsSpoilt() {
		this.server.fail(RecordedRequest::isWatch, 1, EventFault.withoutEndMarker());
		try (TestClient.Stream watch = this.client.watch(STREAMED)) {
			assertThat(watch.events(3)).last().isEqualTo("ADDED c@4");
			create("d");
			assertThat(watch.event()).isEqualTo("ADDED d@5");
		}
		this.server.fail(RecordedRequest::isWatch, 1, EventFault.endMarkerSaying("false"));
		try (TestClient.Stream watch = this.client.watch(STREAMED)) {
			assertThat(watch.events(4)).last().isEqualTo("ADDED d@5");
			assertThat(watch.next().at("/object/metadata/annotations/k8s.io~1initial-events-end").asString())
				.isEqualTo("false");
		}
		this.server.fail(RecordedRequest::isWatch, 1, EventFault.endInPlaceOfEndMarker());
		try (TestClient.Stream watch = this.client.watch(STREAMED)) {
			assertThat(watch.events(4)).last().isEqualTo("ADDED d@5");
			assertThat(watch.lineOrEnd()).isNull();
		}
	}

	@Test
	void itemsOfListsAreEvents() {
		this.server.fail(RecordedRequest::isList, 1, EventFault.objectWithoutMetadata().atEvent(2));
		TestClient.Answer answer = this.client.get(ALL);
		assertThat(answer.names()).containsExactly("a", "", "c");
		assertThat(answer.resourceVersion()).isEqualTo("4");
		this.server.fail(RecordedRequest::isList, 1, EventFault.duplicate());
		assertThat(this.client.get(ALL).names()).containsExactly("a", "a", "b", "c");
		this.server.fail(RecordedRequest::isList, 1, EventFault.objectWithoutMetadata().fromEvent(2));
		assertThat(this.client.get(ALL).names()).containsExactly("a", "", "");
		this.server.fail(RecordedRequest::isList, 1, EventFault.deepObject(10_000).atEvent(3));
		assertThat(this.client.get(ALL).text()).contains("[".repeat(10_000) + "]".repeat(10_000) + "}],\"metadata\"");
		this.server.fail(RecordedRequest::isList, 1, EventFault.unknownType().atEvent(2));
		assertThat(this.client.get(ALL).names()).containsExactly("a", "b", "c");
		this.server.fail(RecordedRequest::isList, 1, Fault.emptyWatch().atEvent(3));
		assertThat(this.client.get(ALL).text()).contains("\"b\"").doesNotContain("\"c\"").endsWith("}");
	}

	@Test
	void compactionComesWithAnEvent() {
		try (TestClient.Stream watch = watch(Fault.compaction().atEvent(4))) {
			assertThat(watch.events(3)).last().isEqualTo("ADDED c@4");
			create("d");
			assertThat(watch.event()).isEqualTo("ADDED d@5");
		}
		try (TestClient.Stream late = this.client.watch(ALL + "?resourceVersion=5")) {
			assertThat(late.next().at("/object/code").asInt()).isEqualTo(410);
		}
	}

	@Test
	void slownessAndSilenceBeginAtAnEvent() {
		long began = System.nanoTime();
		try (TestClient.Stream watch = watch(Fault.slow(Duration.ofMillis(300)).atEvent(2))) {
			assertThat(watch.event()).isEqualTo("ADDED a@2");
			assertThat(watch.events(2)).containsExactly("ADDED b@3", "ADDED c@4");
			assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(290));
		}
		began = System.nanoTime();
		try (TestClient.Stream watch = watch(Fault.drip(1000).atEvent(3))) {
			assertThat(watch.events(3)).last().isEqualTo("ADDED c@4");
			assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(150));
		}
		try (TestClient.Stream watch = watch(Fault.silence().atEvent(3))) {
			assertThat(watch.events(2)).last().isEqualTo("ADDED b@3");
			create("d");
		}
	}

}
