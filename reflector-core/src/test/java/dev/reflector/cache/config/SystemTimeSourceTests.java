package dev.reflector.cache.config;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link SystemTimeSource}.
 */
class SystemTimeSourceTests {

	@Test
	void runsAllTasksOnOneDaemonThreadUntilClosed() throws Exception {
		Thread timer;
		try (SystemTimeSource time = new SystemTimeSource()) {
			CompletableFuture<Thread> first = new CompletableFuture<>();
			CompletableFuture<Thread> second = new CompletableFuture<>();
			time.schedule(Duration.ofMillis(1), () -> first.complete(Thread.currentThread()));
			time.schedule(Duration.ofMillis(2), () -> second.complete(Thread.currentThread()));
			timer = first.get(30, TimeUnit.SECONDS);
			assertThat(second.get(30, TimeUnit.SECONDS)).isSameAs(timer);
			assertThat(timer.getName()).isEqualTo("reflector-timer");
			assertThat(timer.isDaemon()).isTrue();
		}
		await().until(() -> !timer.isAlive());
	}

	@Test
	void c381_noTaskRunsBeforeItsTime() throws Exception {
		try (SystemTimeSource time = new SystemTimeSource()) {
			for (int millis : new int[] { 1, 2, 4, 8, 10 }) {
				CompletableFuture<Long> done = new CompletableFuture<>();
				long before = time.nanoTime();
				time.schedule(Duration.ofMillis(millis), () -> done.complete(time.nanoTime()));
				assertThat(Duration.ofNanos(done.get(30, TimeUnit.SECONDS) - before))
					.isGreaterThanOrEqualTo(Duration.ofMillis(millis));
			}
		}
	}

	@Test
	void aDelayThatIsTooLongForTheTimerIsTheLongestPossible() {
		try (SystemTimeSource time = new SystemTimeSource()) {
			AtomicBoolean ran = new AtomicBoolean();
			time.schedule(ChronoUnit.FOREVER.getDuration(), () -> ran.set(true)).run();
			assertThat(ran).isFalse();
		}
	}

	@Test
	void cancelledTaskDoesNotRun() throws Exception {
		try (SystemTimeSource time = new SystemTimeSource()) {
			AtomicBoolean ran = new AtomicBoolean();
			CompletableFuture<Void> busy = new CompletableFuture<>();
			CompletableFuture<Void> later = new CompletableFuture<>();
			// keeps the only timer thread busy until the second task is cancelled
			time.schedule(Duration.ofMillis(1), busy::join);
			time.schedule(Duration.ofMillis(2), () -> ran.set(true)).run();
			time.schedule(Duration.ofMillis(3), () -> later.complete(null));
			busy.complete(null);
			later.get(30, TimeUnit.SECONDS);
			assertThat(ran).isFalse();
		}
	}

}
