package dev.reflector.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.EventFault;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Each way in which the embedded server can misbehave, with what other libraries are
 * known to do there and what a reflector does: it converges, asks no more than it has to,
 * goes on from where it was when the rules say so, and tells listeners of nothing that
 * has not happened.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FaultScenarioIntegrationTests {

	private static final Predicate<RecordedRequest> STREAMED_LIST = (request) -> request.isWatch()
			&& request.parameter("sendInitialEvents") != null;

	private static final String LIST = "reflector.watch.initial-list=list";

	private static final String STREAM = "reflector.watch.initial-list=auto";

	private static final String IDLE = "reflector.api-server.idle-timeout=1s";

	private static final String NO_ANSWER = "reflector.api-server.response-timeout=2s";

	private EmbeddedApiServer server;

	private ResourceCollection widgets;

	@BeforeEach
	void startServer() {
		this.server = EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).start();
		this.widgets = this.server.resources("widgets");
		create("a");
		create("b");
	}

	@AfterEach
	void closeServer() {
		this.server.close();
	}

	private void create(String name) {
		this.widgets.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1)));
	}

	private MirrorApplication application(String... properties) {
		List<String> all = new ArrayList<>(List.of("reflector.backoff.initial=20ms", "reflector.backoff.max=20ms",
				"reflector.backoff.jitter=0", "logging.level.reactor.netty=error", NO_ANSWER));
		all.addAll(List.of(properties));
		return MirrorApplication.on(this.server, all.toArray(String[]::new));
	}

	private List<RecordedRequest> lists() {
		return this.server.requests(RecordedRequest::isList);
	}

	private List<RecordedRequest> watches() {
		return this.server.requests(RecordedRequest::isWatch);
	}

	/** Four events: version 4 adds c, 5 deletes a, 6 changes b, 7 adds d. */
	private void write() {
		create("c");
		this.widgets.delete("default", "a");
		this.widgets.mergePatch("default", "b", Map.of("spec", Map.of("size", 5)));
		create("d");
	}

	private void awaitWatching(MirrorApplication application) {
		application.awaitEqualTo(this.widgets);
		application.awaitWatching(this.server);
		assertThat(application.heard.mistakes).isEmpty();
	}

	static Stream<Arguments> endsOfStreams() {
		return Stream.of(
				// fabric8io/kubernetes-client#4781, kubernetes-client/java#2330: a watch
				// that breaks off is dead for ever, or everything is listed again
				arguments("reset", Fault.reset()), arguments("connection closed", Fault.disconnect()),
				// a frame that breaks off is an error of the decoder in some libraries,
				// and a relist
				arguments("frame cut off", Fault.truncate(30)),
				arguments("stream that ends within a frame", Fault.endWithin(30)),
				// E-04: reopened at once, a thousand times a second
				arguments("stream that ends cleanly", Fault.emptyWatch()),
				// E-07: all clients list everything when the server is back
				arguments("outage", Fault.outage(Duration.ofMillis(300))),
				// fabric8io/kubernetes-client#6366: taken for the end of the watch
				arguments("429 frame", Fault.status(429)),
				arguments("429 frame with a delay", Fault.status(429).withRetryAfter(1)));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("endsOfStreams")
	void goesOnAtTheLastVersionWithoutANewList(String name, Fault fault) {
		this.server.fail(RecordedRequest::isWatch, 1, fault.atEvent(2));
		try (MirrorApplication application = application(LIST)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			write();
			awaitWatching(application);
			assertThat(lists()).hasSize(1);
			assertThat(watches()).extracting((request) -> request.parameter("resourceVersion"))
				.containsExactly("3", "4");
		}
	}

	static Stream<Arguments> brokenStreams() {
		return Stream.of(
				// operator-framework/java-operator-sdk#882: the informer stops for good
				arguments("garbage", Fault.garbage()), arguments("unknown type", EventFault.unknownType()),
				arguments("page of a proxy", Fault.response(200, "text/html", "<html>Please sign in</html>")),
				// kubernetes-client/java#1533, spring-cloud-kubernetes#1587: the version
				// is
				// kept for ever, a loop of 410; others list with no version at all, which
				// hits etcd
				arguments("410 frame", Fault.status(410, "Expired", "too old resource version")),
				arguments("410 frame of old servers", Fault.status(410, "Gone", "too old resource version")),
				arguments("500 frame", Fault.status(500)),
				// W-31: a ClassCastException in a library that expects a Status
				arguments("error that is no Status",
						EventFault.preceded("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Widget\",\"a\":[1]}}\n")));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("brokenStreams")
	void listsOnceNotOlderThanTheLastVersion(String name, Fault fault) {
		this.server.fail(RecordedRequest::isWatch, 1, fault.atEvent(2));
		try (MirrorApplication application = application(LIST)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			write();
			awaitWatching(application);
			assertThat(lists()).extracting((request) -> request.parameter("resourceVersion")).containsExactly("0", "4");
			await().until(() -> watches().size() == 2);
		}
	}

	static Stream<Arguments> strangeEvents() {
		return Stream.of(
				// E-10, E-23: the deletion is logged and lost, the object lives on for
				// ever
				arguments("deletion of an object that does not fit", EventFault.objectThatDoesNotFit(), 1),
				arguments("deletion of a huge object", EventFault.hugeObject(100_000), 1),
				arguments("deletion of an object nested deeply", EventFault.deepObject(20_000), 1),
				// nobody can tell what is gone: only a list can
				arguments("deletion of an object without metadata", EventFault.objectWithoutMetadata(), 2),
				// handlers hear of a deletion twice
				arguments("duplicate", EventFault.duplicate(), 1),
				arguments("another order", EventFault.reordered(2), 1),
				// X-26 aside: a NullPointerException, or "null" as the next version
				arguments("bookmark without a version", EventFault.bookmark("example.com/v1", "Widget", null), 1),
				arguments("nothing but white space", EventFault.preceded("\n \r\n"), 1),
				// only open watches go on: a relist would be too much
				arguments("compaction", Fault.compaction(), 1),
				// the deadline for silence must not be one for slowness
				arguments("slow event", Fault.slow(Duration.ofMillis(200)), 1),
				arguments("slow drip", Fault.drip(5000), 1));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("strangeEvents")
	void takesFromTheStreamWhatThereIsToTake(String name, Fault fault, int lists) {
		this.server.fail(RecordedRequest::isWatch, 1, fault.atEvent(2));
		try (MirrorApplication application = application(LIST, "reflector.api-server.max-object-size=50KB")) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			write();
			awaitWatching(application);
			create("e");
			awaitWatching(application);
			assertThat(lists()).hasSize(lists);
			assertThat(watches()).hasSize(lists);
			assertThat(application.heard.events.stream().filter("-a"::equals)).hasSize(1);
			assertThat(application.reflector.lastSyncResourceVersion()).isEqualTo(this.widgets.resourceVersion());
		}
	}

	@Test
	void anObjectThatDoesNotFitIsLeftOutUntilItDoes() {
		// java-operator-sdk#882, kubernetes-client/java#4809: one object stops the
		// informer, or the list fails for ever
		this.server.fail(RecordedRequest::isList, 1,
				EventFault.objectThatDoesNotFit().and(EventFault.objectWithoutMetadata().atEvent(2)));
		create("good");
		try (MirrorApplication application = application(LIST)) {
			await().untilAsserted(() -> assertThat(application.mirror()).containsOnlyKeys("default/good"));
			await().until(application.reflector::hasSynced);
			this.widgets.mergePatch("default", "a", Map.of("spec", Map.of("size", 2)));
			this.widgets.mergePatch("default", "b", Map.of("spec", Map.of("size", 2)));
			awaitWatching(application);
			assertThat(lists()).hasSize(1);
		}
	}

	@Test
	void anItemThatComesTwiceIsOneObject() {
		this.server.fail(RecordedRequest::isList, 1, EventFault.duplicate());
		try (MirrorApplication application = application(LIST)) {
			awaitWatching(application);
			assertThat(application.heard.events).containsOnlyOnce("+a@2 initial");
		}
	}

	@Test
	void aBookmarkOfAnotherKindHasNoSay() {
		// the version of another collection is taken over, and what happens until
		// this one gets there is lost
		this.server.fail(RecordedRequest::isWatch, 1,
				EventFault.bookmark("other/v1", "Gadget", "999").atEvent(2).and(Fault.emptyWatch().atEvent(3)));
		try (MirrorApplication application = application(LIST)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			write();
			awaitWatching(application);
			assertThat(lists()).hasSize(1);
			assertThat(watches()).extracting((request) -> request.parameter("resourceVersion"))
				.containsExactly("3", "4");
		}
	}

	@Test
	void aBookmarkThatGoesBackCostsAConsistentList() {
		// E-14, kubernetes/kubernetes#107457: the version is taken over, and what the
		// server has forgotten stays in the cache for ever
		this.server.fail(RecordedRequest::isWatch, 1, EventFault.bookmark("example.com/v1", "Widget", "2").atEvent(2));
		try (MirrorApplication application = application(LIST)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			write();
			awaitWatching(application);
			assertThat(lists()).extracting((request) -> request.parameter("resourceVersion"))
				.containsExactly("0", null);
			assertThat(application.reflector.status().lastError().message()).contains("gone back from version 4 to 2");
		}
	}

	@Test
	void aHalfOpenConnectionIsLeftAndTheVersionKept() {
		// E-02, kubernetes-client/java#1578, fabric8#4340: unnoticed for minutes, or for
		// ever
		this.server.fail(RecordedRequest::isWatch, 1, Fault.silence().atEvent(2));
		this.server.fail(RecordedRequest::isWatch, 1, Fault.silence());
		try (MirrorApplication application = application(LIST, IDLE)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			write();
			awaitWatching(application);
			assertThat(lists()).hasSize(1);
			assertThat(watches().subList(0, 3)).extracting((request) -> request.parameter("resourceVersion"))
				.containsExactly("3", "4", "4");
		}
	}

	static Stream<Arguments> troublesOfLists() {
		return Stream.of(arguments("reset", Fault.reset()), arguments("closed", Fault.disconnect()),
				// the items so far are taken for all there are: the rest is "deleted"
				arguments("cut off", Fault.truncate(200)), arguments("ends too early", Fault.endWithin(200)),
				arguments("outage", Fault.outage(Duration.ofMillis(300))),
				arguments("refused", Fault.refuse(Duration.ofMillis(300))),
				// no deadline at all: the application never starts
				arguments("silence", Fault.silence()), arguments("silence within", Fault.silence().atEvent(2)),
				arguments("slow", Fault.slow(Duration.ofMillis(200))), arguments("drip", Fault.drip(10_000)));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("troublesOfLists")
	void aListIsTakenAsAWholeOrNotAtAll(String name, Fault fault) {
		try (MirrorApplication application = application(LIST, IDLE)) {
			awaitWatching(application);
			this.server.clearRequests();
			this.server.fail(RecordedRequest::isList, 1, fault);
			application.reflector.relist();
			await().until(() -> application.reflector.status().counts().relists() >= 1);
			create("c");
			await().until(() -> application.reflector.hasSynced() && application.mirror().size() == 3);
			awaitWatching(application);
			boolean late = name.equals("slow") || name.equals("drip");
			assertThat(lists()).hasSize(late ? 1 : 2)
				.extracting((request) -> request.parameter("resourceVersion"))
				.containsOnly("3");
			// "deleted" and "added" again is what nobody may hear of
			assertThat(application.heard.events).noneMatch((event) -> event.startsWith("-"));
		}
	}

	@Test
	void aPageThatHasExpiredCostsOneFullList() {
		// client-go ignores the fresh token and lists in full; others go on with page
		// one as if it was all, or begin again with the first page for ever
		IntStream.range(0, 6).forEach((i) -> create("w" + i));
		try (MirrorApplication application = application(LIST, "reflector.list.page-size=3")) {
			awaitWatching(application);
			this.server.clearRequests();
			this.server.failAfter(1, RecordedRequest::isList, 1, Fault.status(410, "Expired", "token expired"));
			String version = application.reflector.lastSyncResourceVersion();
			application.reflector.relist();
			await().until(() -> lists().size() == 3);
			awaitWatching(application);
			assertThat(lists().get(2).parameters()).isEqualTo(Map.of("resourceVersion", version));
			assertThat(application.heard.events).noneMatch((event) -> event.startsWith("-"));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 403, 404, 410, 422, 429, 500, 503, 504 })
	void anyAnswerInAnyFormIsSurvived(int code) {
		// E-21, E-22, kubernetes-client/java#4895: dead at 401, tight loop at 429 without
		// a Status, full relist each second at 500
		for (Fault fault : List.of(Fault.status(code), Fault.plainText(code))) {
			this.server.fail(RecordedRequest::isList, 1, fault);
			this.server.fail(RecordedRequest::isWatch, 1, fault);
		}
		try (MirrorApplication application = application(LIST)) {
			awaitWatching(application);
			await().until(() -> this.server.activeWatches() == 1);
			create("c");
			awaitWatching(application);
			// two that fail and one that does not; each watch that fails may cost another
			assertThat(lists()).hasSizeBetween(3, 5);
			assertThat(watches()).hasSize(3);
			assertThat(watches()).extracting((request) -> request.parameter("resourceVersion")).containsOnly("3");
		}
	}

	static Stream<Arguments> streamsWithoutAnEnd() {
		return Stream.of(
				// E-01, kubernetes/kubernetes#140890: a new watch-list at once, for ever,
				// without back-off, and the informer never syncs
				arguments("stream ends instead", EventFault.endInPlaceOfEndMarker()),
				arguments("no end marker", EventFault.withoutEndMarker()),
				// W-28: "false" is taken for "true", and half the state for all of it
				arguments("end marker says false", EventFault.endMarkerSaying("false")));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("streamsWithoutAnEnd")
	void afterTwoStreamsWithoutAnEndAListIsTaken(String name, Fault fault) {
		this.server.fail(STREAMED_LIST, Integer.MAX_VALUE, fault);
		try (MirrorApplication application = application(STREAM, IDLE)) {
			awaitWatching(application);
			create("c");
			awaitWatching(application);
			assertThat(this.server.requests(STREAMED_LIST)).hasSize(2);
			assertThat(lists()).hasSize(1);
		}
	}

	static Stream<Arguments> troublesOfStreamedLists() {
		return Stream.of(arguments("reset", Fault.reset().atEvent(2)),
				arguments("cut off", Fault.truncate(20).atEvent(2)),
				arguments("ends within", Fault.endWithin(20).atEvent(2)),
				arguments("410 frame", Fault.status(410, "Expired", "too old").atEvent(2)),
				arguments("429 frame", Fault.status(429).atEvent(2)),
				arguments("500 frame", Fault.status(500).atEvent(2)), arguments("garbage", Fault.garbage().atEvent(2)),
				arguments("unknown type", EventFault.unknownType().atEvent(2)),
				arguments("duplicate", EventFault.duplicate().atEvent(2)),
				arguments("another order", EventFault.reordered(2)), arguments("silence", Fault.silence().atEvent(2)),
				arguments("outage", Fault.outage(Duration.ofMillis(200)).atEvent(2)),
				arguments("422", Fault.status(422)), arguments("400 in plain text", Fault.plainText(400)),
				arguments("500", Fault.status(500)), arguments("504", Fault.plainText(504)));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("troublesOfStreamedLists")
	void aStreamedListIsTakenAsAWholeOrNotAtAll(String name, Fault fault) {
		try (MirrorApplication application = application(STREAM, IDLE)) {
			awaitWatching(application);
			this.server.clearRequests();
			this.server.fail(STREAMED_LIST, 1, fault);
			application.reflector.relist();
			await().until(() -> !this.server.requests(STREAMED_LIST).isEmpty());
			create("c");
			awaitWatching(application);
			assertThat(lists().size() + this.server.requests(STREAMED_LIST).size()).isLessThanOrEqualTo(2);
			assertThat(application.heard.events).noneMatch((event) -> event.startsWith("-"));
		}
	}

}
