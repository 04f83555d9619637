package dev.reflector.integration;

import java.util.stream.Stream;

import org.junit.jupiter.params.provider.Arguments;

/**
 * The same with another HTTP library. It decides what becomes of a connection that breaks
 * off, is refused or falls silent, of an answer that ends too early, and of bytes that
 * come slowly or are many. What the events say it does not know: one event that ends the
 * stream shows that it is cancelled.
 */
abstract class LibraryFaultScenario extends FaultScenarioIntegrationTests {

	static Stream<Arguments> endsOfStreams() {
		return only(FaultScenarioIntegrationTests.endsOfStreams(), "reset", "connection closed", "turned away",
				"refused", "frame cut off", "stream that ends within a frame", "stream that ends cleanly");
	}

	static Stream<Arguments> brokenStreams() {
		return only(FaultScenarioIntegrationTests.brokenStreams(), "410 frame");
	}

	static Stream<Arguments> strangeEvents() {
		return only(FaultScenarioIntegrationTests.strangeEvents(), "deletion of a huge object", "slow event",
				"slow drip");
	}

}
