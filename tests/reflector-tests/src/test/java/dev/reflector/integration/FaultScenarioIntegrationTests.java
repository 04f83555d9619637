package dev.reflector.integration;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.reflector.fixture.LongForm;
import dev.reflector.test.EventFault;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

import static dev.reflector.integration.FaultScenario.Way.way;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests each way in which the embedded server can damage a watch, with comments on what
 * other libraries do then, or what goes wrong without the rule. A reflector converges,
 * sends no more requests than necessary, resumes from its version if the rules say so,
 * and delivers no change that has not happened. {@link RequestDistanceIntegrationTests}
 * tests how often it sends requests. The short form tries some of the ways. The classes
 * that do the same with another HTTP library or format try only the ways in which the
 * library or format matters.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FaultScenarioIntegrationTests extends FaultScenario {

	/** Some of several ways, by their names. */
	static Stream<Way> only(Stream<Way> ways, String... names) {
		List<Way> found = ways.filter((way) -> List.of(names).contains(way.name())).toList();
		assertThat(found).extracting(Way::name).containsExactlyInAnyOrder(names);
		return found.stream();
	}

	Stream<Way> endsOfStreams() {
		return LongForm.some(Stream.of(
				// kubernetes-client/java#2330, fabric8io/kubernetes-client#4781: that the
				// watch is gone goes unnoticed. client-go lists everything after a short
				// one (E-03)
				way("reset", Fault.reset()), way("connection closed", Fault.disconnect()),
				// the official Java client always tries again each second
				way("turned away", Fault.closeAtAccept(1)), way("refused", Fault.refuse(Duration.ofMillis(300))),
				// W-32: if HTTP/2 loses its connection, client-go takes an incomplete
				// frame for one that cannot be decoded, and lists everything (E-02)
				way("frame cut off", Fault.truncate(30)), way("stream that ends within a frame", Fault.endWithin(30)),
				// operator-framework/java-operator-sdk#882,
				// quarkiverse/quarkus-operator-sdk#630: one frame that is no good stops
				// everything. client-go lists (W-32), although what was damaged on its
				// way is whole when it is asked for again. Skipped, what it was about
				// would be lost
				way("garbage", Fault.garbage()), way("unknown type", EventFault.unknownType()),
				// without a rule, a page that asks to sign in is an end like any other
				way("page of a proxy", Fault.response(200, "text/html", "<html>Please sign in</html>")),
				// E-04: client-go reopens at once, in a tight loop
				way("stream that ends cleanly", Fault.emptyWatch()),
				// E-07, kubernetes/kubernetes#83520: all clients list everything when the
				// server is back
				way("outage", Fault.outage(Duration.ofMillis(300))),
				// fabric8io/kubernetes-client#6366, kubernetes-client/javascript#975:
				// asked again without regard to Retry-After
				way("429 frame", Fault.status(429)),
				way("429 frame with a delay", Fault.status(429).withRetryAfter(1))));
	}

	@TestFactory
	Stream<DynamicTest> goesOnAtTheLastVersionWithoutANewList() {
		return withOneApplication(endsOfStreams(), (application, way) -> {
			int version = openWatch(application, way.fault().atEvent(2));
			writeToWatch();
			awaitWatching(application);
			assertThat(lists()).isEmpty();
			assertThat(watches()).extracting((request) -> request.parameter("resourceVersion"))
				.containsExactly(String.valueOf(version), String.valueOf(version + 1));
		}, LIST);
	}

	Stream<Way> brokenStreams() {
		return LongForm.some(Stream.of(
				// kubernetes-client/java#1533, spring-cloud/spring-cloud-kubernetes#1587:
				// the expired version is kept, a loop of 410. The official Java client
				// and fabric8 list with no version at all, which hits etcd
				way("410 frame", Fault.status(410, "Expired", "too old resource version")),
				way("410 frame of old servers", Fault.status(410, "Gone", "too old resource version")),
				// without a list, the client misses the deletion of an object that the
				// server could not read (StorageReadError)
				way("500 frame", Fault.status(500)),
				// W-31: a client that takes every error for a Status fails here
				way("error that is no Status",
						EventFault.preceded("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Widget\",\"a\":[1]}}\n"))));
	}

	@TestFactory
	Stream<DynamicTest> listsOnceNotOlderThanTheLastVersion() {
		return withOneApplication(brokenStreams(), (application, way) -> {
			int version = openWatch(application, way.fault().atEvent(2));
			writeToWatch();
			awaitWatching(application);
			assertThat(lists()).extracting((request) -> request.parameter("resourceVersion"))
				.containsExactly(String.valueOf(version + 1));
			await().until(() -> watches().size() == 2);
		}, LIST);
	}

	Stream<Way> strangeEvents() {
		return LongForm.some(Stream.of(
				// operator-framework/java-operator-sdk#882, kubernetes-client/java#4809:
				// stops everything
				way("deletion of an object that does not fit", EventFault.objectThatDoesNotFit()),
				// without a bound, the object fills the heap. With a bound that ends the
				// stream, it comes again and again. So it is skipped, but its key is read
				way("deletion of a huge object", EventFault.hugeObject(100_000)),
				way("deletion of an object nested deeply", EventFault.deepObject(20_000)),
				// E-10: client-go skips it, and the deleted object stays in the
				// cache. Only a list shows which object it was
				new Way("deletion of an object without metadata", EventFault.objectWithoutMetadata(), 1),
				// without a comparison with the mirror, handlers get a deletion twice
				way("duplicate", EventFault.duplicate()),
				// no order is made here either, and the last event wins; so what
				// comes
				// too early must not count as having come twice
				way("another order", EventFault.reordered(2)),
				// taken over, "no version" makes the next watch begin with the whole
				// state
				way("bookmark without a version", EventFault.bookmark("example.com/v1", "Widget", null)),
				// W-25: a client that reads lines finds a frame that is no JSON
				way("nothing but white space", EventFault.preceded("\n \r\n")),
				// an open watch continues, so a list would be needless
				way("compaction", Fault.compaction()),
				// E-02: a deadline for silence must not be one for slowness, or a slow
				// link loses its watch again and again
				way("slow event", Fault.slow(Duration.ofMillis(200))), way("slow drip", Fault.drip(5000))));
	}

	@TestFactory
	Stream<DynamicTest> appliesTheReadableEventsOfTheStream() {
		return withOneApplication(strangeEvents(), (application, way) -> {
			openWatch(application, way.fault().atEvent(2));
			String deleted = writeToWatch();
			awaitWatching(application);
			create("last-of-" + deleted);
			awaitWatching(application);
			assertThat(lists()).hasSize(way.lists());
			assertThat(watches()).hasSize(1 + way.lists());
			assertThat(application.heard.events.stream().filter(("-" + deleted)::equals)).hasSize(1);
			// a listener may get a change a moment before the reflector records its
			// version
			await().untilAsserted(() -> assertThat(application.reflector.lastSyncResourceVersion())
				.isEqualTo(this.widgets.resourceVersion()));
		}, LIST, "reflector.api-server.max-object-size=50KB");
	}

	@Test
	void aBookmarkOfAnotherKindIsIgnored() {
		// with the version of another collection, the changes up to that version
		// would be lost
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
	void aBookmarkThatGoesBackCausesAConsistentList() {
		// E-14, kubernetes/kubernetes#107457: client-go takes the version over,
		// and objects that the server has lost stay in the cache until the next list
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
	void aHalfOpenConnectionIsReplacedAndTheVersionKept() {
		// E-02, kubernetes-client/java#1578, fabric8io/kubernetes-client#4340: unnoticed
		// for minutes over HTTP/1.1, in client-go too (W-86)
		this.server.fail(RecordedRequest::isWatch, 1, Fault.silence().atEvent(2));
		this.server.fail(RecordedRequest::isWatch, 1, Fault.silence());
		try (MirrorApplication application = application(LIST, IDLE, NO_ANSWER)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			write();
			awaitWatching(application);
			assertThat(lists()).hasSize(1);
			assertThat(watches().subList(0, 3)).extracting((request) -> request.parameter("resourceVersion"))
				.containsExactly("3", "4", "4");
		}
	}

}
