package dev.reflector.integration;

import java.util.stream.Stream;

/**
 * The same with another HTTP library. It decides what becomes of a connection that breaks
 * off, is refused or falls silent, of an answer that ends too early, and of bytes that
 * come slowly or are many. What the events say it does not know: one event that ends the
 * stream shows that it is cancelled.
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
