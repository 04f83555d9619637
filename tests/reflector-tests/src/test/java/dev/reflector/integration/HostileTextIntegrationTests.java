package dev.reflector.integration;

import java.util.List;
import java.util.stream.Stream;

import dev.reflector.ReflectorStatus;
import dev.reflector.fixture.LongForm;
import dev.reflector.test.EventFault;
import dev.reflector.test.Fault;
import dev.reflector.test.ListFault;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Text of a server that would forge log lines, control the terminal that shows them, or
 * fill the log.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileTextIntegrationTests extends FaultScenario {

	private static final String HOSTILE = "x\nERROR forged\u001b[2J\u0000\u202e\u2028y";

	/** The same text in JSON. */
	private static final String ESCAPED = "x\\nERROR forged\\u001b[2J\\u0000\\u202e\\u2028y";

	private static final String LONG = "7".repeat(1_000_000);

	private CapturedOutput output;

	@AfterEach
	void nothingOfItIsInTheLog() {
		assertThat(this.output).doesNotContain("\u001b[2J", "\u0000", "\u202e", "\u2028")
			.doesNotContainPattern("(?m)^ERROR forged");
		assertThat(this.output.toString().lines()).allSatisfy((line) -> assertThat(line).hasSizeLessThan(6000));
	}

	/** The log line may come a moment after the status. */
	private void awaitLine(String text) {
		await().untilAsserted(() -> assertThat(this.output).contains(text));
	}

	private static String added(String name, String version, String spec) {
		return "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\""
				+ name + "\",\"namespace\":\"default\",\"resourceVersion\":\"" + version + "\"},\"spec\":" + spec
				+ "}}\n";
	}

	static Stream<Integer> codes() {
		return LongForm.some(Stream.of(500, 403, 429, 400));
	}

	@ParameterizedTest
	@MethodSource("codes")
	void theMessageOfAFailure(int code, CapturedOutput output) {
		this.output = output;
		this.server.fail(RecordedRequest::isList, 1, Fault.status(code, HOSTILE, HOSTILE + LONG.substring(0, 20_000)));
		try (MirrorApplication application = application(LIST)) {
			await().until(() -> application.reflector.status().lastError() != null);
			ReflectorStatus status = application.reflector.status();
			assertThat(status.lastError().message()).hasSizeLessThan(1100)
				.contains("x ERROR forged\\u001B[2J\\u0000\\u202E\\u2028y");
			assertThat(status.lastError().reason()).hasSizeLessThan(200).doesNotContain("\n");
			awaitLine("x ERROR forged\\u001B[2J\\u0000\\u202E\\u2028y");
		}
	}

	@Test
	void theMessageOfAFailureOfAWatch(CapturedOutput output) {
		this.output = output;
		this.server.fail(RecordedRequest::isWatch, 1, Fault.status(500, HOSTILE, HOSTILE + LONG).atEvent(1));
		try (MirrorApplication application = application(LIST)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			write();
			awaitWatching(application);
			awaitLine("the watch has failed: 500 x ERROR forged");
		}
	}

	@Test
	void namesOfObjectsThatCannotBeRead(CapturedOutput output) {
		this.output = output;
		this.server.fail(RecordedRequest::isWatch, 1,
				EventFault.preceded(added(ESCAPED, ESCAPED, "\"no\"")).atEvent(2));
		try (MirrorApplication application = application(LIST)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			write();
			awaitWatching(application);
			awaitLine("skipped default/x ERROR forged\\u001B[2J\\u0000\\u202E\\u2028y at resource version");
		}
	}

	@Test
	void anotherTypeThanTheOneAskedFor(CapturedOutput output) {
		this.output = output;
		this.server.fail(RecordedRequest::isList, 2, ListFault.anotherKind(HOSTILE, HOSTILE + LONG, true));
		try (MirrorApplication application = application(LIST)) {
			application.awaitEqualTo(this.widgets);
			awaitLine("but of kind x ERROR forged");
		}
	}

	@Test
	void aVersionOfAListThatIsFarTooLong(CapturedOutput output) {
		this.output = output;
		this.server.fail(RecordedRequest::isList, 2, ListFault.resourceVersion(LONG));
		try (MirrorApplication application = application(LIST)) {
			application.awaitEqualTo(this.widgets);
			awaitWatching(application);
			awaitLine("'resourceVersion' in the metadata of the list has 1000000 characters");
			assertNoLongVersionIsSent();
		}
	}

	@Test
	void versionsOfEventsThatAreFarTooLong(CapturedOutput output) {
		this.output = output;
		this.server.fail(RecordedRequest::isWatch, 1,
				EventFault.bookmark("example.com/v1", "Widget", LONG)
					.atEvent(2)
					.and(EventFault.preceded(added("long", LONG, "{\"size\":1}")).atEvent(3))
					.and(Fault.emptyWatch().atEvent(4)));
		try (MirrorApplication application = application(LIST)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			write();
			awaitWatching(application);
			awaitLine("its resource version has 1000000 characters");
			assertThat(application.reflector.lastSyncResourceVersion()).hasSizeLessThan(10);
			assertNoLongVersionIsSent();
		}
	}

	private void assertNoLongVersionIsSent() {
		assertThat(this.server.requests((request) -> true)).extracting(RecordedRequest::path)
			.allSatisfy((path) -> assertThat(path).hasSizeLessThan(1000));
		List<RecordedRequest> watches = watches();
		assertThat(watches).extracting((watch) -> String.valueOf(watch.parameter("resourceVersion")))
			.allSatisfy((version) -> assertThat(version).hasSizeLessThan(10));
	}

}
