package dev.reflector.console;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.example.console.ConsoleTestApplication;
import dev.reflector.test.Fault;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the timeline after faults of the server and of listeners, and after their end, in
 * one application.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConsoleTimelineTests {

	private static RunningConsole console;

	private WidgetTimeline timeline;

	@BeforeAll
	static void start() {
		console = WidgetTimeline.start("--reflector.events.slow-listener-threshold=100ms",
				"--reflector.backoff.initial=100ms", "--reflector.backoff.max=500ms");
	}

	@AfterAll
	static void stop() {
		if (console != null) {
			console.close();
		}
	}

	@BeforeEach
	void awaitHealed() {
		this.timeline = new WidgetTimeline(console);
		await().untilAsserted(this.timeline::assertHealed);
	}

	@AfterEach
	void clearFaults() {
		console.server.clearFaults();
	}

	@Test
	void aFirstListAndAWatch() {
		JsonNode all = this.timeline.all();
		assertThat(all.path("to").asLong() - all.path("from").asLong()).isEqualTo(900_000);
		JsonNode list = this.timeline.spans("LIST").get(0);
		assertThat(list.path("reason").asString()).isEqualTo("the first list");
		assertThat(list.path("detail").asString()).startsWith("1 objects");
		assertThat(list.path("end").asLong()).isGreaterThanOrEqualTo(list.path("start").asLong());
		assertThat(this.timeline.spans("WATCH")).last().satisfies((watch) -> {
			assertThat(watch.path("end").isNull()).isTrue();
			assertThat(watch.path("start").asLong()).isGreaterThanOrEqualTo(list.path("start").asLong());
		});
		await().untilAsserted(() -> assertThat(this.timeline.marks("SYNCED")).hasSize(1));
		this.timeline.forget();
		await().until(() -> {
			console.server.sendBookmarks();
			return !this.timeline.marks("BOOKMARK").isEmpty();
		});
	}

	@Test
	void aCompactionLeadsToANewListWithItsReason() {
		this.timeline.forget();
		console.server.compact();
		console.server.closeWatches();
		await().untilAsserted(() -> {
			assertThat(this.timeline.marks("EXPIRED")).isNotEmpty();
			assertThat(this.timeline.marks("RELIST")).last()
				.satisfies((mark) -> assertThat(mark.path("detail").asString()).isEqualTo("expired"));
			assertThat(this.timeline.spans("LIST")).last()
				.satisfies((list) -> assertThat(list.path("reason").asString()).isEqualTo("expired"));
			this.timeline.assertHealed();
		});
	}

	@Test
	void aRefusalLeadsToADelay() {
		this.timeline.forget();
		console.server.fail(WidgetTimeline::isWatch, 2, Fault.status(429).withRetryAfter(1));
		console.server.closeWatches();
		await().untilAsserted(() -> {
			assertThat(this.timeline.marks("THROTTLED")).isNotEmpty();
			assertThat(this.timeline.spans("BACKOFF")).isNotEmpty()
				.allSatisfy(
						(delay) -> assertThat(delay.path("end").asLong()).isGreaterThan(delay.path("start").asLong()));
			this.timeline.assertHealed();
		});
	}

	@Test
	void garbageAndALostConnectionAreErrorsAfterWhichTheWatchGoesOn() {
		this.timeline.forget();
		console.server.fail(WidgetTimeline::isWatch, 1, Fault.garbage().atEvent(1));
		console.server.closeWatches();
		await().until(() -> {
			console.server.sendBookmarks();
			return this.timeline.marks("ERROR")
				.stream()
				.anyMatch((mark) -> mark.path("detail").asString().startsWith("MalformedResponse"));
		});
		// each watch, as it is not known which of them is closed here
		console.server.fail(WidgetTimeline::isWatch, Integer.MAX_VALUE, Fault.reset().atEvent(1));
		console.server.closeWatches();
		await().until(() -> {
			console.server.sendBookmarks();
			return this.timeline.marks("ERROR")
				.stream()
				.anyMatch((mark) -> mark.path("detail").asString().contains("was lost"));
		});
		console.server.clearFaults();
		await().untilAsserted(() -> {
			assertThat(this.timeline.marks("RESUMED")).isNotEmpty();
			this.timeline.assertHealed();
		});
	}

	@Test
	void aSlowListenerIsShownWhileItIsSlow() throws InterruptedException {
		CountDownLatch release = new CountDownLatch(1);
		this.timeline.forget();
		try {
			ConsoleTestApplication.LISTENER.set((event) -> hold(release));
			console.widget("shop", "slow", 1);
			await().untilAsserted(() -> {
				assertThat(this.timeline.spans("SLOW_LISTENER")).last()
					.satisfies((span) -> assertThat(span.path("end").isNull()).isTrue());
				assertThat(console.json("/reflectors/api/reflectors/widgets/series").path("deliveryMillis"))
					.isNotEmpty();
			});
			release.countDown();
			await().untilAsserted(() -> assertThat(this.timeline.spans("SLOW_LISTENER")).last()
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

}
