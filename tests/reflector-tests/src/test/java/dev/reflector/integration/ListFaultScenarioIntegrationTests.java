package dev.reflector.integration;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.reflector.fixture.LongForm;
import dev.reflector.test.EventFault;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.reflector.integration.FaultScenario.Way.way;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests each way in which the embedded server can damage a list, like
 * {@link FaultScenarioIntegrationTests} for watches.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ListFaultScenarioIntegrationTests extends FaultScenario {

	@Test
	void anObjectThatDoesNotFitIsLeftOutUntilItDoes() {
		// operator-framework/java-operator-sdk#882, kubernetes-client/java#4809: one
		// object stops everything
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
		// without a comparison with earlier items, listeners get an object twice
		this.server.fail(RecordedRequest::isList, 1, EventFault.duplicate());
		try (MirrorApplication application = application(LIST)) {
			awaitWatching(application);
			assertThat(application.heard.events).containsOnlyOnce("+a@2 initial");
		}
	}

	private static Stream<Way> troublesOfLists() {
		return LongForm.some(Stream.of(
				// by default, a first list that fails makes the start of fabric8 fail;
				// the official Java client asks again each second
				way("reset", Fault.reset()), way("closed", Fault.disconnect()),
				way("turned away", Fault.closeAtAccept(1)),
				// fabric8 writes pages to the mirror as they come. Were the items so far
				// taken for all there are, the rest would be "deleted"
				way("cut off", Fault.truncate(200)), way("ends too early", Fault.endWithin(200)),
				// W-52: below its reflector, client-go does not repeat a refused request
				way("refused", Fault.refuse(Duration.ofMillis(300))),
				// E-07, kubernetes/kubernetes#83520: all clients list when the server is
				// back
				way("outage", Fault.outage(Duration.ofMillis(300))),
				// with a deadline for the whole list, a slow link never gets to the end
				// of it
				way("slow", Fault.slow(Duration.ofMillis(200))), way("drip", Fault.drip(10_000)),
				way("slow from the second item on", Fault.slow(Duration.ofMillis(100)).fromEvent(2))));
	}

	@TestFactory
	Stream<DynamicTest> aListIsTakenAsAWholeOrNotAtAll() {
		return withOneApplication(troublesOfLists(), this::isTakenAsAWhole, LIST);
	}

	/** The server falls silent before this item, or at the beginning. */
	static Stream<Integer> silentItems() {
		return LongForm.some(Stream.of(2, 0));
	}

	/** Without its own deadline, the client never tries again. */
	@ParameterizedTest
	@MethodSource("silentItems")
	void aListThatFallsSilentIsAskedForAgain(int item) {
		try (MirrorApplication application = application(LIST, IDLE, NO_ANSWER)) {
			awaitWatching(application);
			isTakenAsAWhole(application, way("silence", (item > 0) ? Fault.silence().atEvent(item) : Fault.silence()));
		}
	}

	private void isTakenAsAWhole(MirrorApplication application, Way way) {
		String version = this.widgets.resourceVersion();
		long relists = application.reflector.status().counts().relists();
		this.server.clearRequests();
		this.server.fail(RecordedRequest::isList, 1, way.fault());
		application.reflector.relist();
		await().until(() -> application.reflector.status().counts().relists() > relists);
		create("after-" + version);
		awaitWatching(application);
		boolean late = way.name().startsWith("slow") || way.name().equals("drip");
		assertThat(lists()).hasSize(late ? 1 : 2)
			.extracting((request) -> request.parameter("resourceVersion"))
			.containsOnly(version);
		// listeners must not get objects as "deleted" and "added" again
		assertThat(application.heard.events).noneMatch((event) -> event.startsWith("-"));
	}

	@Test
	void anExpiredPageCausesOneFullList() {
		// W-20: client-go ignores the fresh token and lists in full. A client that
		// continues with the token mixes two states. A client that takes the pages so far
		// for the whole list "deletes" the rest
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

	static Stream<Integer> codes() {
		return LongForm.some(Stream.of(429, 401, 404, 410, 403, 422, 500, 503, 504));
	}

	@ParameterizedTest
	@MethodSource("codes")
	void anyAnswerInAnyFormIsSurvived(int code) {
		// E-21: client-go requests forbidden or missing types forever, and only its log
		// shows that. E-22, operator-framework/java-operator-sdk#2526: 429 makes the
		// start fail. kubernetes-client/java#4895: storms of reconnects and lists
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

}
