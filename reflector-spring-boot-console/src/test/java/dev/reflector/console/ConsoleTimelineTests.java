package dev.reflector.console;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.example.console.ConsoleTestApplication;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What the timeline shows of faults of the server and of listeners, and of the healing.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConsoleTimelineTests {

	private static final String TIMELINE = "/reflectors/api/reflectors/widgets/timeline";

	@Test
	void aFirstListAndAWatch() {
		try (RunningConsole console = start()) {
			JsonNode timeline = console.json(TIMELINE);
			assertThat(timeline.path("to").asLong() - timeline.path("from").asLong()).isEqualTo(900_000);
			JsonNode list = spans(timeline, "LIST").get(0);
			assertThat(list.path("reason").asString()).isEqualTo("the first list");
			assertThat(list.path("detail").asString()).startsWith("1 objects");
			assertThat(list.path("end").asLong()).isGreaterThanOrEqualTo(list.path("start").asLong());
			assertThat(spans(timeline, "WATCH")).last().satisfies((watch) -> {
				assertThat(watch.path("end").isNull()).isTrue();
				assertThat(watch.path("start").asLong()).isGreaterThanOrEqualTo(list.path("start").asLong());
			});
			await().untilAsserted(() -> assertThat(marks(console, "SYNCED")).hasSize(1));
			console.server.sendBookmarks();
			await().untilAsserted(() -> assertThat(marks(console, "BOOKMARK")).isNotEmpty());
		}
	}

	@Test
	void aCompactionLeadsToANewListWithItsReason() {
		try (RunningConsole console = start()) {
			console.server.compact();
			console.server.closeWatches();
			await().untilAsserted(() -> {
				assertThat(marks(console, "EXPIRED")).isNotEmpty();
				assertThat(marks(console, "RELIST")).last()
					.satisfies((mark) -> assertThat(mark.path("detail").asString()).isEqualTo("expired"));
				assertThat(spans(console, "LIST")).last()
					.satisfies((list) -> assertThat(list.path("reason").asString()).isEqualTo("expired"));
				assertHealed(console);
			});
		}
	}

	@Test
	void aRefusalLeadsToADelay() {
		try (RunningConsole console = start()) {
			console.server.fail(ConsoleTimelineTests::isWatch, 2, Fault.status(429).withRetryAfter(1));
			console.server.closeWatches();
			await().untilAsserted(() -> {
				assertThat(marks(console, "THROTTLED")).isNotEmpty();
				assertThat(spans(console, "BACKOFF")).isNotEmpty()
					.allSatisfy((delay) -> assertThat(delay.path("end").asLong())
						.isGreaterThan(delay.path("start").asLong()));
				assertHealed(console);
			});
		}
	}

	@Test
	void garbageAndALostConnectionAreErrorsAfterWhichTheWatchGoesOn() {
		try (RunningConsole console = start()) {
			console.server.fail(ConsoleTimelineTests::isWatch, 1, Fault.garbage().atEvent(1));
			console.server.closeWatches();
			await().until(() -> {
				console.server.sendBookmarks();
				return marks(console, "ERROR").stream()
					.anyMatch((mark) -> mark.path("detail").asString().startsWith("MalformedResponse"));
			});
			// each watch, as it is not known which of them is closed here
			console.server.fail(ConsoleTimelineTests::isWatch, Integer.MAX_VALUE, Fault.reset().atEvent(1));
			console.server.closeWatches();
			await().until(() -> {
				console.server.sendBookmarks();
				return marks(console, "ERROR").stream()
					.anyMatch((mark) -> mark.path("detail").asString().contains("was lost"));
			});
			console.server.clearFaults();
			await().untilAsserted(() -> {
				assertThat(marks(console, "RESUMED")).isNotEmpty();
				assertHealed(console);
			});
		}
	}

	@Test
	void silenceIsDrawnFromTheLastSign() {
		try (RunningConsole console = RunningConsole.start(List.of(ConsoleTestApplication.class),
				WebApplicationType.REACTIVE, (server) -> server, "--reflector.api-server.idle-timeout=1s")) {
			// each watch, as with this limit they also end on their own
			console.server.fail(ConsoleTimelineTests::isWatch, Integer.MAX_VALUE, Fault.silence().atEvent(1));
			console.server.closeWatches();
			await().until(() -> {
				console.server.sendBookmarks();
				return !spans(console, "SILENCE").isEmpty();
			});
			JsonNode silence = spans(console, "SILENCE").get(0);
			assertThat(silence.path("end").asLong() - silence.path("start").asLong()).isGreaterThanOrEqualTo(900);
		}
	}

	@Test
	void aSlowListenerIsShownWhileItIsSlow() throws InterruptedException {
		CountDownLatch release = new CountDownLatch(1);
		try (RunningConsole console = start("--reflector.events.slow-listener-threshold=100ms")) {
			ConsoleTestApplication.LISTENER.set((event) -> hold(release));
			console.widget("shop", "slow", 1);
			await().untilAsserted(() -> {
				assertThat(spans(console, "SLOW_LISTENER")).last()
					.satisfies((span) -> assertThat(span.path("end").isNull()).isTrue());
				assertThat(console.json("/reflectors/api/reflectors/widgets/series").path("deliveryMillis"))
					.isNotEmpty();
			});
			release.countDown();
			await().untilAsserted(() -> assertThat(spans(console, "SLOW_LISTENER")).last()
				.satisfies((span) -> assertThat(span.path("end").isNull()).isFalse()));
		}
		finally {
			release.countDown();
			ConsoleTestApplication.LISTENER.set((event) -> {
			});
		}
	}

	private static void hold(CountDownLatch latch) {
		try {
			latch.await(60, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void eachNamespaceHasSpansOfItsOwnAndAPauseOfItsOwn() {
		try (RunningConsole console = start("--reflector.resources.widgets.namespaces=shop,store",
				"--reflector.console.write-operations=true")) {
			assertThat(spans(console, "LIST")).extracting((span) -> span.path("scope").asString())
				.contains("shop", "store");
			console.post("/reflectors/api/reflectors/widgets/pause");
			await().untilAsserted(() -> {
				assertThat(spans(console, "PAUSED")).hasSize(1);
				assertThat(spans(console, "WATCH"))
					.allSatisfy((watch) -> assertThat(watch.path("end").isNull()).isFalse());
			});
		}
	}

	private static boolean isWatch(RecordedRequest request) {
		return request.isWatch() && request.isAbout("widgets");
	}

	private static RunningConsole start(String... arguments) {
		RunningConsole console = RunningConsole.start(List.of(ConsoleTestApplication.class),
				WebApplicationType.REACTIVE, (server) -> {
					server.resources("widgets")
						.create(Map.of("metadata", Map.of("namespace", "shop", "name", "first"), "spec",
								Map.of("size", 1)));
					return server;
				}, arguments);
		await().untilAsserted(() -> assertHealed(console));
		return console;
	}

	/** A watch is open, and the mirror is followed. */
	private static void assertHealed(RunningConsole console) {
		JsonNode widgets = console.json("/reflectors/api/reflectors").path("reflectors").get(1);
		assertThat(widgets.path("state").asString()).as(() -> console.json(TIMELINE).toString()).isEqualTo("WATCHING");
		assertThat(widgets.path("fresh").asBoolean()).as(widgets.toString()).isTrue();
		assertThat(spans(console, "WATCH")).anyMatch((watch) -> watch.path("end").isNull());
	}

	private static List<JsonNode> spans(RunningConsole console, String kind) {
		return spans(console.json(TIMELINE), kind);
	}

	private static List<JsonNode> spans(JsonNode timeline, String kind) {
		return timeline.path("spans")
			.valueStream()
			.filter((span) -> span.path("kind").asString().equals(kind))
			.toList();
	}

	private static List<JsonNode> marks(RunningConsole console, String kind) {
		return console.json(TIMELINE)
			.path("marks")
			.valueStream()
			.filter((mark) -> mark.path("kind").asString().equals(kind))
			.toList();
	}

}
