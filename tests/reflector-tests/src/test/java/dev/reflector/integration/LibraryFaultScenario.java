package dev.reflector.integration;

import java.util.stream.Stream;

/**
 * Tests faults with another HTTP library. The library determines what happens to a
 * connection that is lost, refused or silent, to an answer that ends too early, and to
 * bytes that are slow or many. It does not see the content of events, so one event that
 * ends the stream is enough to test that the stream is cancelled.
 */
abstract class LibraryFaultScenario extends FaultScenarioIntegrationTests {

	@Override
	Stream<Way> endsOfStreams() {
		return only(super.endsOfStreams(), "reset", "connection closed", "turned away", "refused", "frame cut off",
				"stream that ends within a frame", "stream that ends cleanly");
	}

	@Override
	Stream<Way> brokenStreams() {
		return only(super.brokenStreams(), "410 frame");
	}

	@Override
	Stream<Way> strangeEvents() {
		return only(super.strangeEvents(), "deletion of a huge object", "slow event", "slow drip");
	}

}
