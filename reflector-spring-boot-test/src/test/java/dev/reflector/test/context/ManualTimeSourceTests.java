package dev.reflector.test.context;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ManualTimeSource}.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManualTimeSourceTests {

	private final ManualTimeSource time = new ManualTimeSource();

	private final List<String> done = new ArrayList<>();

	@Test
	void bothClocksMoveByHandOnly() {
		Instant begin = this.time.now();
		long nanos = this.time.nanoTime();
		this.time.advance(Duration.ofMinutes(5));
		assertThat(this.time.now()).isEqualTo(begin.plus(Duration.ofMinutes(5)));
		assertThat(this.time.nanoTime() - nanos).isEqualTo(Duration.ofMinutes(5).toNanos());
		assertThatIllegalArgumentException().isThrownBy(() -> this.time.advance(Duration.ofNanos(-1)));
	}

	@Test
	void tasksRunInTheirOrderAtTheirTime() {
		long begin = this.time.nanoTime();
		this.time.schedule(Duration.ofSeconds(2), () -> note("second", begin));
		this.time.schedule(Duration.ofSeconds(1), () -> {
			note("first", begin);
			this.time.schedule(Duration.ofMillis(500), () -> note("between", begin));
		});
		this.time.schedule(Duration.ofSeconds(4), () -> note("late", begin));
		assertThat(this.time.waiting()).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2),
				Duration.ofSeconds(4));
		this.time.advance(Duration.ofMillis(3999));
		assertThat(this.done).containsExactly("first @ 1000", "between @ 1500", "second @ 2000");
		assertThat(this.time.waiting()).containsExactly(Duration.ofMillis(1));
		this.time.advance(Duration.ofMillis(1));
		assertThat(this.done).endsWith("late @ 4000");
		assertThat(this.time.isWaitedFor()).isFalse();
	}

	@Test
	void cancelledTasksDoNotRun() {
		Runnable cancel = this.time.schedule(Duration.ofSeconds(1), () -> this.done.add("cancelled"));
		this.time.schedule(Duration.ofSeconds(1), () -> this.done.add("other"));
		cancel.run();
		this.time.advance(Duration.ofSeconds(1));
		cancel.run();
		assertThat(this.done).containsExactly("other");
	}

	@Test
	void showsWhetherATaskIsScheduled() throws Exception {
		assertThat(this.time.isWaitedFor()).isFalse();
		CompletableFuture<Duration> waited = CompletableFuture.supplyAsync(this.time::awaitWaiting);
		this.time.schedule(Duration.ofSeconds(3), () -> this.done.add("done"));
		assertThat(waited.get(30, TimeUnit.SECONDS)).isEqualTo(Duration.ofSeconds(3));
		assertThat(this.time.isWaitedFor()).isTrue();
	}

	private void note(String what, long begin) {
		this.done.add(what + " @ " + Duration.ofNanos(this.time.nanoTime() - begin).toMillis());
	}

}
