package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.source.Status;
import dev.reflector.fixture.ManualTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RetryWithDeadlineTests {

	private static final Failure INTERNAL = Failure.of(Status.ofHttp(500, "broken"));

	private static final Failure OTHER = Failure.of(Status.ofHttp(503, "busy"));

	private final ManualTime time = new ManualTime();

	private RetryWithDeadline window(int seconds) {
		return new RetryWithDeadline(Duration.ofSeconds(seconds), this.time);
	}

	private boolean afterOneMoreSecond(RetryWithDeadline window) {
		this.time.advance(Duration.ofSeconds(1));
		return window.after(INTERNAL);
	}

	@Test
	void c085_withoutAWindowNothingIsRetried() {
		RetryWithDeadline window = window(0);
		assertThat(window.after(INTERNAL)).isFalse();
		assertThat(window.after(OTHER)).isFalse();
	}

	@Test
	void c086_retriesWithinTheWindow() {
		RetryWithDeadline window = window(1);
		assertThat(afterOneMoreSecond(window)).isTrue();
		assertThat(afterOneMoreSecond(window)).isTrue();
		assertThat(afterOneMoreSecond(window)).isFalse();
	}

	@Test
	void c087_otherErrorsAreNotRetried() {
		assertThat(window(1).after(OTHER)).isFalse();
	}

	@Test
	void c088_otherErrorsDoNotChangeTheWindow() {
		RetryWithDeadline window = window(1);
		assertThat(window.after(INTERNAL)).isTrue();
		window.after(OTHER);
		assertThat(afterOneMoreSecond(window)).isTrue();
	}

	@Test
	void c028_aMinuteWithoutErrorsBeginsANewWindow() {
		RetryWithDeadline window = window(30);
		for (int i = 0; i < 10; i++) {
			assertThat(afterOneMoreSecond(window)).isTrue();
		}
		this.time.advance(Duration.ofMinutes(1));
		for (int i = 0; i < 30; i++) {
			assertThat(afterOneMoreSecond(window)).as("retry %d", i).isTrue();
		}
		assertThat(afterOneMoreSecond(window)).isTrue();
		assertThat(afterOneMoreSecond(window)).isFalse();
	}

}
