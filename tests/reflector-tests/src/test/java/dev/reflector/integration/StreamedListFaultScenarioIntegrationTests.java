package dev.reflector.integration;

import java.time.Duration;
import java.util.stream.Stream;

import dev.reflector.fixture.LongForm;
import dev.reflector.test.EventFault;
import dev.reflector.test.Fault;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests each way in which the embedded server can damage a streamed list, like
 * {@link FaultScenarioIntegrationTests} for watches. The short form tries some of them.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StreamedListFaultScenarioIntegrationTests extends FaultScenario {

	static Stream<Arguments> streamsWithoutAnEnd() {
		return Stream.of(
				// E-01, kubernetes/kubernetes#140890: a new watch-list at once, forever,
				// without back-off, and the informer never syncs
				arguments("stream ends instead", EventFault.endInPlaceOfEndMarker()),
				arguments("no end marker", EventFault.withoutEndMarker()),
				// W-28: in fabric8 any bookmark ends the initial part: half the state is
				// taken for all of it
				arguments("end marker says false", EventFault.endMarkerSaying("false")))
			.limit(LongForm.atMost(2));
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
		return LongForm.some(Stream.of(
				// E-01, kubernetes/kubernetes#140890: client-go begins again at once,
				// forever. fabric8 writes the received objects to the mirror in any case
				arguments("reset", Fault.reset().atEvent(2)), arguments("cut off", Fault.truncate(20).atEvent(2)),
				arguments("ends within", Fault.endWithin(20).atEvent(2)),
				// the server does not accept the next attempt: a list fails as well
				arguments("turned away", Fault.closeAtAccept(1)),
				arguments("refused", Fault.refuse(Duration.ofMillis(200))),
				arguments("refused within", Fault.refuse(Duration.ofMillis(200)).atEvent(2)),
				arguments("outage", Fault.outage(Duration.ofMillis(200)).atEvent(2)),
				// asked for once more at the version that has expired, it expires
				// again
				arguments("410 frame", Fault.status(410, "Expired", "too old").atEvent(2)),
				// E-22: the server's cache is not ready yet, which is no error
				arguments("429 frame", Fault.status(429).atEvent(2)),
				// where streaming fails, a list may not: fabric8 has no way back to
				// lists
				arguments("500 frame", Fault.status(500).atEvent(2)), arguments("500", Fault.status(500)),
				arguments("504", Fault.plainText(504)),
				// W-07: answers of servers that cannot stream lists
				arguments("422", Fault.status(422)), arguments("400 in plain text", Fault.plainText(400)),
				// operator-framework/java-operator-sdk#882: one frame that is no good
				// stops everything
				arguments("garbage", Fault.garbage().atEvent(2)),
				arguments("unknown type", EventFault.unknownType().atEvent(2)),
				arguments("unknown types", EventFault.unknownType().fromEvent(1)),
				// without a comparison with earlier events, listeners get an object twice
				arguments("duplicate", EventFault.duplicate().atEvent(2)),
				arguments("duplicates", EventFault.duplicate().fromEvent(1)),
				// fabric8 records the versions of a state that is in no order
				arguments("another order", EventFault.reordered(2)),
				// E-02: without its own deadline, the client never tries again
				arguments("silence", Fault.silence().atEvent(2))));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("troublesOfStreamedLists")
	void aStreamedListIsTakenAsAWholeOrNotAtAll(String name, Fault fault) {
		boolean silent = name.equals("silence");
		try (MirrorApplication application = silent ? application(STREAM, IDLE) : application(STREAM)) {
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
