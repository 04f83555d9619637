package dev.reflector.integration;

import java.util.stream.Stream;

import dev.reflector.fixture.LongFormOnly;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests a server that answers in CBOR, with the faults that affect where a frame begins
 * and ends, or how its content is read. Faults of the connection have the same effects in
 * each format.
 */
@LongFormOnly
class CborFaultScenarioIntegrationTests extends FaultScenarioIntegrationTests {

	@Override
	Stream<Way> endsOfStreams() {
		return only(super.endsOfStreams(), "frame cut off", "stream that ends within a frame", "garbage",
				"unknown type", "429 frame with a delay");
	}

	/** Text before an event is no frame in CBOR. */
	@Override
	Stream<Way> brokenStreams() {
		return only(super.brokenStreams(), "410 frame", "500 frame");
	}

	/** White space between frames is something of JSON. */
	@Override
	Stream<Way> strangeEvents() {
		return only(super.strangeEvents(), "deletion of an object that does not fit", "deletion of a huge object",
				"deletion of an object nested deeply", "deletion of an object without metadata",
				"bookmark without a version", "slow drip");
	}

	@Override
	String format() {
		return "cbor";
	}

	@Test
	void isAskedForCbor() {
		try (MirrorApplication application = application(LIST)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			assertThat(this.server.requests(RecordedRequest::isWatch)).singleElement()
				.satisfies((request) -> assertThat(request.header("Accept")).startsWith("application/cbor,"));
		}
	}

}
