package dev.reflector.integration;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import dev.reflector.fixture.LongForm;
import dev.reflector.test.Backup;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Servers that go back to a backup and, as genuine ones, accept watches from versions
 * that they have not reached.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RestoredServerIntegrationTests extends WidgetServer {

	private static final String SOON = "reflector.backoff.reset-after=0s";

	@BeforeEach
	void createWidget() {
		create("a");
	}

	private void change(String name, int size) {
		this.widgets.mergePatch("default", name, Map.of("spec", Map.of("size", size)));
	}

	private List<RecordedRequest> probes() {
		return this.server.requests(
				(request) -> request.isList() && "NotOlderThan".equals(request.parameter("resourceVersionMatch")));
	}

	private MirrorApplication inStep(String... properties) {
		MirrorApplication application = MirrorApplication.on(this.server, properties);
		application.awaitEqualTo(this.widgets);
		application.awaitWatching(this.server);
		return application;
	}

	static Stream<String> initialLists() {
		return LongForm.some(Stream.of("list", "stream"));
	}

	@ParameterizedTest
	@MethodSource("initialLists")
	void aServerRestoredWhileItWasDownIsListedAgain(String initialList) {
		Backup backup = this.server.backup();
		try (MirrorApplication application = inStep("reflector.watch.initial-list=" + initialList, SOON)) {
			create("b");
			change("a", 7);
			application.awaitEqualTo(this.widgets);
			this.server.stop();
			this.server.restore(backup);
			this.server.start();
			application.awaitEqualTo(this.widgets);
			assertThat(application.widgets.get("default", "a").spec().size()).isOne();
			assertThat(probes()).isNotEmpty()
				.allSatisfy((probe) -> assertThat(probe.parameter("limit")).isEqualTo("1"));
			create("c");
			application.awaitEqualTo(this.widgets);
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	@Test
	void aServerRestoredWithoutASignIsListedAfterSilence() {
		Backup backup = this.server.backup();
		try (MirrorApplication application = inStep("reflector.api-server.idle-timeout=2s", SOON)) {
			create("b");
			application.awaitEqualTo(this.widgets);
			// which ends the watches in order
			this.server.restore(backup);
			application.awaitEqualTo(this.widgets);
			assertThat(probes()).isNotEmpty();
		}
	}

	@Test
	void aServerThatHasNotGoneBackIsAskedOnceAndNotListedAgain() {
		try (MirrorApplication application = inStep(SOON)) {
			this.server.clearRequests();
			this.server.stop();
			await().until(() -> application.reflector.state() == ReflectorState.BACKING_OFF);
			this.server.start();
			await().atMost(Duration.ofSeconds(60)).until(() -> !probes().isEmpty());
			create("b");
			application.awaitEqualTo(this.widgets);
			assertThat(this.server.requests(RecordedRequest::isList)).isNotEmpty()
				.allSatisfy((list) -> assertThat(list.parameter("resourceVersionMatch")).isEqualTo("NotOlderThan"));
			assertThat(application.reflector.status().counts().relists()).isZero();
		}
	}

	@Test
	void versionsThatHavePassedOursAreFoundByComparing() throws Exception {
		Backup backup = this.server.backup();
		try (MirrorApplication application = inStep("reflector.verify-period=1s", SOON)) {
			create("b");
			change("a", 7);
			application.awaitEqualTo(this.widgets);
			this.server.stop();
			this.server.restore(backup);
			create("c");
			// in the version in which the mirror has it, with another content
			change("a", 9);
			create("d");
			this.server.start();
			application.awaitEqualTo(this.widgets);
			await().atMost(Duration.ofSeconds(60))
				.until(() -> application.widgets.get("default", "a").spec().size() == 9);
			await().until(() -> application.reflector.state() == ReflectorState.WATCHING);
			create("e");
			application.awaitEqualTo(this.widgets);
		}
	}

	@Test
	void comparisonEndsWithTheReflector() throws Exception {
		try (MirrorApplication application = inStep("reflector.verify-period=200ms")) {
			await().until(() -> exact().size() >= 2);
			assertThat(application.reflector.status().counts().relists()).isZero();
			application.context.stop();
			await().until(() -> application.reflector.state() == ReflectorState.STOPPED);
			this.server.clearRequests();
			application.context.start();
			// comparisons continue after the next start
			await().until(() -> !exact().isEmpty());
		}
	}

	private List<RecordedRequest> exact() {
		return this.server.requests((request) -> "Exact".equals(request.parameter("resourceVersionMatch")));
	}

}
