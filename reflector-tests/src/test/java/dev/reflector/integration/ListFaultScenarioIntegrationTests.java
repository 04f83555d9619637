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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Each way in which the embedded server can spoil a list: what
 * {@link FaultScenarioIntegrationTests} are for watches.
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

	static Stream<Arguments> troublesOfLists() {
		return LongForm.some(Stream.of(
				// fabric8 lets a first list that fails fail the start, unless it is told
				// not to; the official Java client asks again each second
				arguments("reset", Fault.reset()), arguments("closed", Fault.disconnect()),
				arguments("turned away", Fault.closeAtAccept(1)),
				// fabric8 writes pages to the mirror as they come. Were the items so far
				// taken for all there are, the rest would be "deleted"
				arguments("cut off", Fault.truncate(200)), arguments("ends too early", Fault.endWithin(200)),
				// W-52: below its reflector, client-go does not repeat a refused request
				arguments("refused", Fault.refuse(Duration.ofMillis(300))),
				// without its own deadline, the client never tries again
				arguments("silence", Fault.silence()), arguments("silence within", Fault.silence().atEvent(2)),
				// E-07, kubernetes/kubernetes#83520: all clients list when the server is
				// back
				arguments("outage", Fault.outage(Duration.ofMillis(300))),
				// with a deadline for the whole list, a slow link never gets to the end
				// of it
				arguments("slow", Fault.slow(Duration.ofMillis(200))), arguments("drip", Fault.drip(10_000)),
				arguments("slow from the second item on", Fault.slow(Duration.ofMillis(100)).fromEvent(2))));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("troublesOfLists")
	void aListIsTakenAsAWholeOrNotAtAll(String name, Fault fault) {
		boolean silent = name.startsWith("silence");
		try (MirrorApplication application = silent ? application(LIST, IDLE, NO_ANSWER) : application(LIST)) {
			awaitWatching(application);
			this.server.clearRequests();
			this.server.fail(RecordedRequest::isList, 1, fault);
			application.reflector.relist();
			await().until(() -> application.reflector.status().counts().relists() >= 1);
			create("c");
			await().until(() -> application.reflector.hasSynced() && application.mirror().size() == 3);
			awaitWatching(application);
			boolean late = name.startsWith("slow") || name.equals("drip");
			assertThat(lists()).hasSize(late ? 1 : 2)
				.extracting((request) -> request.parameter("resourceVersion"))
				.containsOnly("3");
			// listeners must not get objects as "deleted" and "added" again
			assertThat(application.heard.events).noneMatch((event) -> event.startsWith("-"));
		}
	}

	@Test
	void anExpiredPageCausesOneFullList() {
		// W-20: client-go ignores the fresh token and lists in full. A client that goes
		// on with the token mixes two states; one that takes the pages so far for the
		// whole list "deletes" the rest
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
		// E-21: client-go asks for what is forbidden or not there for ever, and only its
		// log knows. E-22, operator-framework/java-operator-sdk#2526: 429 makes the start
		// fail. kubernetes-client/java#4895: storms of reconnects and lists
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
