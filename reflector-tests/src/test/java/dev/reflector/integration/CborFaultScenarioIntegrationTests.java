package dev.reflector.integration;

import java.util.stream.Stream;

import dev.reflector.fixture.LongFormOnly;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The same with a server that answers in CBOR.
 */
@LongFormOnly
class CborFaultScenarioIntegrationTests extends FaultScenarioIntegrationTests {

	/** White space between frames is something of JSON. */
	static Stream<Arguments> strangeEvents() {
		return FaultScenarioIntegrationTests.strangeEvents()
			.filter((arguments) -> !arguments.get()[0].equals("nothing but white space"));
	}

	/** Text before an event is no frame in CBOR. */
	static Stream<Arguments> brokenStreams() {
		return FaultScenarioIntegrationTests.brokenStreams()
			.filter((arguments) -> !arguments.get()[0].equals("error that is no Status"));
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
