package dev.reflector.integration;

import java.util.List;
import java.util.stream.Stream;

import dev.reflector.fixture.LongForm;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The meters show how connections end and that answers are invalid, over a real socket.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BrokenAnswersIntegrationTests extends WidgetServer {

	private static final List<String> REASONS = List.of("ended", "lost", "silent", "failed", "given_up");

	@BeforeEach
	void createWidget() {
		create("a");
	}

	private MirrorApplication start(String... properties) {
		return MirrorApplication.on(this.server,
				Stream
					.concat(Stream.of(properties),
							Stream.of("reflector.watch.initial-list=list", "reflector.backoff.initial=20ms"))
					.toArray(String[]::new));
	}

	static Stream<Arguments> ends() {
		return Stream
			.of(arguments("ended", Fault.emptyWatch()), arguments("lost", Fault.disconnect()),
					arguments("failed", Fault.status(429)), arguments("lost", Fault.reset()),
					arguments("lost", Fault.truncate(20)))
			.limit(LongForm.atMost(3));
	}

	@ParameterizedTest(name = "{0} #{index}")
	@MethodSource("ends")
	void watchesThatGoOnAreCountedByHowTheOneBeforeEnded(String reason, Fault fault) {
		this.server.fail(RecordedRequest::isWatch, 1, fault.atEvent(2));
		try (MirrorApplication application = start()) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			create("b");
			create("c");
			application.awaitEqualTo(this.widgets);
			await().untilAsserted(() -> assertThat(reconnects(application, reason)).isOne());
			assertThat(REASONS).filteredOn((other) -> !other.equals(reason))
				.allSatisfy((other) -> assertThat(reconnects(application, other)).as(other).isZero());
		}
	}

	@Test
	void halfOpenConnectionIsNoEnd() {
		this.server.fail(RecordedRequest::isWatch, 1, Fault.silence().atEvent(1));
		try (MirrorApplication application = start("reflector.api-server.idle-timeout=2s")) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			create("b");
			application.awaitEqualTo(this.widgets);
			await().untilAsserted(() -> assertThat(reconnects(application, "silent")).isPositive());
			assertThat(reconnects(application, "ended")).isZero();
			assertThat(reconnects(application, "lost")).isZero();
		}
	}

	@Test
	void invalidAnswersAreCountedByRequest() {
		this.server.fail(RecordedRequest::isList, 1, Fault.garbage());
		this.server.fail(RecordedRequest::isWatch, 1, Fault.garbage().atEvent(1));
		try (MirrorApplication application = start()) {
			application.awaitEqualTo(this.widgets);
			assertThat(malformed(application, "list")).isOne();
			assertThat(malformed(application, "watch")).isZero();
			await().until(() -> this.server.activeWatches() == 1);
			create("b");
			application.awaitEqualTo(this.widgets);
			await().untilAsserted(() -> assertThat(malformed(application, "watch")).isOne());
			assertThat(malformed(application, "list")).isOne();
		}
	}

	private static double reconnects(MirrorApplication application, String reason) {
		return count(application, "reflector.reconnects", "reason", reason);
	}

	private static double malformed(MirrorApplication application, String request) {
		return count(application, "reflector.malformed", "request", request);
	}

	private static double count(MirrorApplication application, String meter, String tag, String value) {
		return application.context.getBean(MeterRegistry.class)
			.get(meter)
			.tag("reflector", "widgets")
			.tag(tag, value)
			.counter()
			.count();
	}

}
