package dev.reflector.integration;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.reflector.ReflectorStatus;
import dev.reflector.fixture.LongForm;
import dev.reflector.test.EventFault;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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

	private static Map<String, String> frames() {
		Map<String, String> frames = new LinkedHashMap<>();
		frames.put("brackets", BEGINNING + "{{{ not json\n");
		frames.put("truncated", BEGINNING + "{\"a\":1\n");
		frames.put("truncated in a list", BEGINNING + "{\"a\":[1\n");
		frames.put("truncated in an object", BEGINNING + "{\"a\":{\"b\":{}\n");
		frames.put("truncated in a text", BEGINNING + "{\"a\":\"b\n");
		frames.put("truncated behind a backslash", BEGINNING + "{\"a\":\"b\\\n");
		frames.put("truncated in a key", BEGINNING + "{\"a\n");
		frames.put("truncated behind a key", BEGINNING + "{\"a\"\n");
		frames.put("truncated behind a comma", BEGINNING + "{\"a\":1,\n");
		frames.put("truncated behind a colon", BEGINNING + "{\"a\":\n");
		frames.put("truncated ahead of its object", BEGINNING + "\n");
		frames.put("arrays", "[[[[\n");
		frames.put("a million arrays", BEGINNING + "[".repeat(1_000_000) + "\n");
		frames.put("arrays for an object", BEGINNING + "[[[[\n");
		return frames;
	}

	@TestFactory
	Stream<DynamicTest> eventsAfterABrokenFrameArrive(CapturedOutput output) {
		return arrive(frames(), EventFault::preceded, output);
	}

	private static Map<String, String> binaryFrames() {
		// {"type":"ADDED","object":
		String beginning = "a2" + "6474797065" + "654144444544" + "666f626a656374";
		Map<String, String> frames = new LinkedHashMap<>();
		frames.put("a text of 2^63-1 bytes", beginning + "7b7fffffffffffffff");
		frames.put("bytes, 2^63-1 of them", beginning + "5b7fffffffffffffff");
		frames.put("an array of 2^63-1 elements", beginning + "9b7fffffffffffffff");
		frames.put("a million arrays", beginning + "81".repeat(1_000_000));
		frames.put("a map of 2^62-1 entries", beginning + "bb3fffffffffffffff");
		frames.put("a million arrays without a length", beginning + "9f".repeat(1_000_000));
		return frames;
	}

	@TestFactory
	Stream<DynamicTest> eventsAfterABrokenCborFrameArrive(CapturedOutput output) {
		this.format = "cbor";
		return arrive(binaryFrames(), (frame) -> EventFault.preceded(HexFormat.of().parseHex(frame)), output);
	}

	private Stream<DynamicTest> arrive(Map<String, String> frames, Function<String, Fault> broken,
			CapturedOutput output) {
		return withOneApplication(
				LongForm.some(frames.entrySet().stream())
					.map((frame) -> Way.way(frame.getKey(), broken.apply(frame.getValue()))),
				(application, way) -> assertArrives(application, way, output), LIST);
	}

	private void assertArrives(MirrorApplication application, Way way, CapturedOutput output) {
		int begin = output.length();
		long errors = application.reflector.status().counts().errors();
		openWatch(application, way.fault().atEvent(2));
		writeToWatch();
		awaitWatching(application);
		assertThat(lists()).isEmpty();
		assertThat(watches()).hasSize(2);
		assertThat(application.reflector.status().counts().errors()).isGreaterThan(errors);
		assertReported(application.reflector.status());
		assertThat(output.toString().substring(begin))
			.containsPattern("WARN .*Reflector 'widgets': the watch has failed: MalformedResponse: GET ")
			.containsPattern("connected again after .*, without a new list");
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
			assertThat(output).contains(
					"an event was not complete within 2000 ms (reflector.api-server.event-timeout or Timeouts.event)");
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
