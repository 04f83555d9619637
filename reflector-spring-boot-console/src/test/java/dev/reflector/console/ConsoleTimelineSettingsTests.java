package dev.reflector.console;

import java.util.List;

import com.example.console.ConsoleTestApplication;
import dev.reflector.leaderelection.LeaderCallbacks;
import dev.reflector.leaderelection.LeaderElectionConfig;
import dev.reflector.leaderelection.LeaderElectionRecord;
import dev.reflector.leaderelection.LeaderElector;
import dev.reflector.leaderelection.ResourceLock;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.test.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the timeline of applications with settings other than the defaults.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConsoleTimelineSettingsTests {

	@Test
	void silenceIsDrawnFromTheLastSign() {
		try (RunningConsole console = RunningConsole.start(List.of(ConsoleTestApplication.class, OwnElections.class),
				WebApplicationType.REACTIVE, (server) -> server, "--reflector.api-server.idle-timeout=1s")) {
			assertThat(widgets(console).path("leader").isNull()).as("none of several elections").isTrue();
			WidgetTimeline timeline = new WidgetTimeline(console);
			// each watch, as with this limit they also end on their own
			console.server.fail(WidgetTimeline::isWatch, Integer.MAX_VALUE, Fault.silence().atEvent(1));
			console.server.closeWatches();
			await().until(() -> {
				console.server.sendBookmarks();
				return !timeline.spans("SILENCE").isEmpty();
			});
			JsonNode silence = timeline.spans("SILENCE").get(0);
			assertThat(silence.path("end").asLong() - silence.path("start").asLong()).isGreaterThanOrEqualTo(900);
		}
	}

	@Test
	void eachNamespaceHasSpansOfItsOwnAndAPauseOfItsOwn() {
		try (RunningConsole console = WidgetTimeline.start("--reflector.resources.widgets.namespaces=shop,store",
				"--reflector.events.on-error=stop", "--reflector.console.write-operations=true")) {
			WidgetTimeline timeline = new WidgetTimeline(console);
			assertThat(timeline.spans("LIST"))
				.extracting((span) -> span.path("scope").asString() + ": " + span.path("reason").asString())
				.contains("shop: the first list", "store: the first list");
			assertThatAStoppedDeliveryIsAFailureAndCanBeResumed(console);
			console.post("/reflectors/api/reflectors/widgets/pause");
			await().untilAsserted(() -> {
				assertThat(timeline.spans("PAUSED")).hasSize(1);
				assertThat(timeline.spans("WATCH"))
					.allSatisfy((watch) -> assertThat(watch.path("end").isNull()).isFalse());
			});
		}
	}

	private static void assertThatAStoppedDeliveryIsAFailureAndCanBeResumed(RunningConsole console) {
		ConsoleTestApplication.LISTENER.set((event) -> {
			throw new IllegalStateException("boom");
		});
		try {
			console.widget("shop", "refused", 1);
			await().untilAsserted(() -> {
				JsonNode widgets = widgets(console);
				assertThat(widgets.path("failure").asString()).startsWith("ListenerFailed: ");
				assertThat(widgets.path("operations").valueStream().map(JsonNode::asString)).contains("resume");
			});
		}
		finally {
			ConsoleTestApplication.LISTENER.set((event) -> {
			});
		}
		console.post("/reflectors/api/reflectors/widgets/resume");
		await().until(() -> widgets(console).path("failure").isNull());
	}

	private static JsonNode widgets(RunningConsole console) {
		return console.json("/reflectors/api/reflectors").path("reflectors").get(1);
	}

	/** Elections of the application itself. */
	@Configuration(proxyBeanMethods = false)
	static class OwnElections {

		@Bean
		LeaderElector invoices() {
			return elector();
		}

		@Bean
		LeaderElector reports() {
			return elector();
		}

		private static LeaderElector elector() {
			return new LeaderElector(new UnusedLock("one"), LeaderElectionConfig.defaults(), new LeaderCallbacks() {
			}, new SystemTimeSource(), Runnable::run);
		}

	}

	/** The lock of an election that does not begin. */
	private record UnusedLock(String identity) implements ResourceLock {

		@Override
		public String describe() {
			return "shop/unused";
		}

		@Override
		public Mono<Version> get() {
			return Mono.never();
		}

		@Override
		public Mono<Version> create(LeaderElectionRecord record) {
			return Mono.never();
		}

	}

}
