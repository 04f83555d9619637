package dev.reflector.integration;

import java.util.HexFormat;
import java.util.stream.Stream;

import dev.reflector.ReflectorStatus;
import dev.reflector.fixture.LongForm;
import dev.reflector.test.EventFault;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Broken frames of a watch, whose following text could pass for a part of them. The
 * reflector notices and reports them, and gets the events again.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MalformedFrameIntegrationTests extends FaultScenario {

	private static final String BEGINNING = "{\"type\":\"ADDED\",\"object\":";

	private String format = "json";

	@Override
	String format() {
		return this.format;
	}

	static Stream<Arguments> frames() {
		return LongForm.some(Stream.of(arguments("brackets", BEGINNING + "{{{ not json\n"),
				arguments("truncated", BEGINNING + "{\"a\":1\n"),
				arguments("truncated in a list", BEGINNING + "{\"a\":[1\n"),
				arguments("truncated in an object", BEGINNING + "{\"a\":{\"b\":{}\n"),
				arguments("truncated in a text", BEGINNING + "{\"a\":\"b\n"),
				arguments("truncated behind a backslash", BEGINNING + "{\"a\":\"b\\\n"),
				arguments("truncated in a key", BEGINNING + "{\"a\n"),
				arguments("truncated behind a key", BEGINNING + "{\"a\"\n"),
				arguments("truncated behind a comma", BEGINNING + "{\"a\":1,\n"),
				arguments("truncated behind a colon", BEGINNING + "{\"a\":\n"),
				arguments("truncated ahead of its object", BEGINNING + "\n"), arguments("arrays", "[[[[\n"),
				arguments("a million arrays", BEGINNING + "[".repeat(1_000_000) + "\n"),
				arguments("arrays for an object", BEGINNING + "[[[[\n")));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("frames")
	void eventsAfterABrokenFrameArrive(String name, String frame, CapturedOutput output) {
		assertArrives(EventFault.preceded(frame), output);
	}

	static Stream<Arguments> binaryFrames() {
		// {"type":"ADDED","object":
		String beginning = "a2" + "6474797065" + "654144444544" + "666f626a656374";
		return LongForm.some(Stream.of(arguments("a text of 2^63-1 bytes", beginning + "7b7fffffffffffffff"),
				arguments("bytes, 2^63-1 of them", beginning + "5b7fffffffffffffff"),
				arguments("an array of 2^63-1 elements", beginning + "9b7fffffffffffffff"),
				arguments("a million arrays", beginning + "81".repeat(1_000_000)),
				arguments("a map of 2^62-1 entries", beginning + "bb3fffffffffffffff"),
				arguments("a million arrays without a length", beginning + "9f".repeat(1_000_000))));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("binaryFrames")
	void eventsAfterABrokenCborFrameArrive(String name, String frame, CapturedOutput output) {
		this.format = "cbor";
		assertArrives(EventFault.preceded(HexFormat.of().parseHex(frame)), output);
	}

	private void assertArrives(Fault fault, CapturedOutput output) {
		this.server.fail(RecordedRequest::isWatch, 1, fault.atEvent(2));
		try (MirrorApplication application = application(LIST)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			write();
			awaitWatching(application);
			assertThat(lists()).hasSize(1);
			assertThat(watches()).hasSize(2);
			assertReported(application.reflector.status());
			assertThat(output)
				.containsPattern("WARN .*Reflector 'widgets': the watch has failed: MalformedResponse: GET ")
				.containsPattern("connected again after .*, without a new list");
		}
	}

	private static void assertReported(ReflectorStatus status) {
		assertThat(status.lastError()).isNotNull().satisfies((error) -> {
			// the server has not sent any
			assertThat(error.status()).isZero();
			assertThat(error.reason()).isEqualTo("MalformedResponse");
			assertThat(error.message()).startsWith("GET /apis/example.com/v1/widgets");
		});
		assertThat(status.counts().errors()).isPositive();
		assertThat(status.failingSince()).isNull();
	}

	/** Only a timeout can show that the rest will never come. */
	@Test
	void anEventThatIsNeverCompleteEndsTheWatch(CapturedOutput output) {
		this.server.fail(RecordedRequest::isWatch, 1,
				EventFault.preceded(BEGINNING + "{\"a\":[").atEvent(2).and(Fault.silence().atEvent(3)));
		try (MirrorApplication application = application(LIST, "reflector.api-server.event-timeout=2s")) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			write();
			awaitWatching(application);
			assertThat(lists()).hasSize(1);
			assertReported(application.reflector.status());
			assertThat(output)
				.contains("an event was not complete within 2000 ms (reflector.api-server.event-timeout)");
		}
	}

	@Test
	void aFrameThatIsInvalidAgainAndAgainCausesAList(CapturedOutput output) {
		// the event that adds c, each time
		this.server.fail(RecordedRequest::isWatch, 2, EventFault.preceded(BEGINNING + "{{{\n").atEvent(1));
		try (MirrorApplication application = application(LIST)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			write();
			awaitWatching(application);
			assertThat(lists()).extracting((request) -> request.parameter("resourceVersion")).containsExactly("0", "3");
			assertThat(watches().subList(0, 2)).extracting((request) -> request.parameter("resourceVersion"))
				.containsExactly("3", "3");
			assertReported(application.reflector.status());
		}
	}

	@Test
	void framesMayBePrinted() {
		this.server.fail(RecordedRequest::isWatch, 1, EventFault.preceded("""
				{
				  "type" : "BOOKMARK",
				  "object" : {
				    "kind" : "Widget",
				    "apiVersion" : "example.com/v1",
				    "metadata" : {
				      "resourceVersion" : "4"
				    }
				  }
				}
				""").fromEvent(2));
		try (MirrorApplication application = application(LIST)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			create("c");
			create("d");
			application.awaitEqualTo(this.widgets);
			assertThat(lists()).hasSize(1);
			assertThat(watches()).hasSize(1);
			assertThat(application.reflector.status().counts().errors()).isZero();
		}
	}

}
