package dev.reflector.integration;

import java.time.Duration;
import java.util.Map;

import dev.reflector.ReflectorState;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.context.ManualTimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests a reflector over a real socket with a server that is down or not yet there, does
 * not end a watch, ends each watch too soon, falls silent or has forgotten its history.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ResilienceIntegrationTests extends BackoffScenario {

	/** Clocks are read at two places. */
	private static final Duration TOLERANCE = Duration.ofMillis(20);

	@Test
	void e35_aWatchThatTheServerForgetsToEndIsReopenedWhereItWas() {
		ManualTimeSource time = new ManualTimeSource();
		try (MirrorApplication application = MirrorApplication.on(this.server, time, "reflector.watch.overlap=0s")) {
			application.awaitEqualTo(this.widgets);
			// for the server, which has its own clock, the watch has only begun
			await().until(() -> this.server.activeWatches() == 1);
			RecordedRequest first = watches().get(0);
			time.advance(Duration.ofSeconds(Long.parseLong(first.parameter("timeoutSeconds")) + 29));
			assertThat(watches()).hasSize(1);
			await().until(() -> {
				time.advance(Duration.ofSeconds(1));
				return watches().size() > 1;
			});
			create("c");
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			assertThat(watches()).allSatisfy((watch) -> assertThat(watch.parameter("sendInitialEvents"))
				.isEqualTo((watch.equals(first)) ? "true" : null));
			assertThat(lists()).isEmpty();
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	@Test
	void aServerThatIsDownIsAskedNoMoreOftenThanTheBackoffAllows(CapturedOutput output) {
		try (MirrorApplication application = application(LIST)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			create("x");
			application.awaitEqualTo(this.widgets);
			long listsBefore = application.reflector.status().counts().lists();
			this.server.stop();
			await().until(() -> application.reflector.state() == ReflectorState.BACKING_OFF);
			// before the first attempt that counts, however long it takes to count
			long began = System.nanoTime();
			long watches = application.reflector.status().counts().watches();
			await().until(() -> application.reflector.status().counts().watches() >= watches + TIMES);
			long attempts = application.reflector.status().counts().watches() - watches;
			Duration took = Duration.ofNanos(System.nanoTime() - began);
			assertThat(Duration.ofMillis(100).multipliedBy(attempts - 1)).isLessThan(took.plus(TOLERANCE));
			assertThat(application.mirror()).hasSize(3);
			create("c");
			this.server.start();
			application.awaitEqualTo(this.widgets);
			// E-07: the reflector resumes without a new list
			assertThat(application.reflector.status().counts().lists()).isEqualTo(listsBefore);
			assertThat(application.heard.mistakes).isEmpty();
		}
		assertThat(complaints(output)).singleElement().asString().contains("ConnectionRefused");
		assertThat(output).containsPattern("connected again after .* without a new list");
	}

	@Test
	void aServerThatIsNotYetThereIsWaitedFor() {
		int port = this.server.port();
		this.server.stop();
		try (MirrorApplication application = MirrorApplication.start(
				"reflector.api-server.url=http://127.0.0.1:" + port, "reflector.backoff.initial=50ms",
				"reflector.backoff.max=50ms")) {
			await().until(() -> application.reflector.status().counts().errors() > 2);
			assertThat(application.reflector.hasSynced()).isFalse();
			this.server.start();
			application.awaitEqualTo(this.widgets);
		}
	}

	@Test
	void watchesThatEndAfterEachEventAreNotReopenedInATightLoop() {
		ManualTimeSource time = new ManualTimeSource();
		try (MirrorApplication application = application(time, LIST)) {
			application.awaitEqualTo(this.widgets);
			for (int number = 1; number <= TIMES; number++) {
				int watches = number;
				await().until(() -> watches().size() == watches && this.server.activeWatches() == 1);
				create("w" + number);
				application.awaitEqualTo(this.widgets);
				this.server.closeWatches();
				// a longer timer is no delay between two watches
				await().until(
						() -> time.waiting().stream().anyMatch((delay) -> delay.compareTo(Duration.ofMillis(300)) < 0));
				assertThat(watches()).hasSize(number);
				assertThat(time.waiting().get(0)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
				time.advance(time.waiting().get(0));
			}
			await().until(() -> watches().size() > TIMES);
			application.awaitEqualTo(this.widgets);
			assertThat(lists()).hasSize(1);
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	@Test
	void aCompactedHistoryCausesOneListAndDeliversTheDifferences() {
		// kubernetes-client/java#1533, #1829: lists, or watches, ask for the version that
		// is
		// gone again and again, and the mirror stays as it was
		try (MirrorApplication application = application(LIST)) {
			application.awaitEqualTo(this.widgets);
			application.reflector.pause();
			await().until(() -> this.server.activeWatches() == 0);
			create("c");
			this.widgets.delete("default", "a");
			this.widgets.mergePatch("default", "b", Map.of("spec", Map.of("size", 5)));
			this.server.compact();
			application.reflector.resume();
			application.awaitEqualTo(this.widgets);
			assertThat(lists()).hasSize(2);
			assertThat(application.heard.mistakes).isEmpty();
			assertThat(application.reflector.status().lastError().status()).isEqualTo(410);
		}
	}

	@Test
	void theWatchOfASilentServerIsReopenedAtTheSameVersion() {
		try (MirrorApplication application = MirrorApplication.on(this.server, "reflector.api-server.idle-timeout=6s",
				"reflector.watch.initial-list=list", "reflector.backoff.initial=20ms")) {
			application.awaitEqualTo(this.widgets);
			// the mirror shows the list a moment before its version counts as seen
			String version = this.widgets.resourceVersion();
			await().until(() -> watches().size() >= 3);
			assertThat(watches())
				.allSatisfy((request) -> assertThat(request.parameter("resourceVersion")).isEqualTo(version));
			assertThat(lists()).hasSize(1);
			create("c");
			application.awaitEqualTo(this.widgets);
		}
	}

}
