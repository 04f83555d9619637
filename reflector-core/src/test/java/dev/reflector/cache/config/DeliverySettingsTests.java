package dev.reflector.cache.config;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link DeliverySettings}.
 */
class DeliverySettingsTests {

	private static DeliverySettings settings(Duration time) {
		return new DeliverySettings(time, 1, true, time, time);
	}

	@Test
	void aTimeIsNotLongerThanTimersCanCount() {
		Duration longest = Duration.ofDays(36_500);
		assertThat(settings(longest).drainTimeout()).isEqualTo(longest);
		assertThatIllegalArgumentException().isThrownBy(() -> settings(longest.plusNanos(1)))
			.withMessage("'resyncPeriod' must be 36500d at most");
		assertThatIllegalArgumentException()
			.isThrownBy(
					() -> ReflectorOptions.builder().slowListenerThreshold(ChronoUnit.FOREVER.getDuration()).build())
			.withMessage("'slowListenerThreshold' must be 36500d at most");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> ReflectorOptions.builder().minWatchTimeout(longest.plusNanos(1)).build())
			.withMessage("'minWatchTimeout' must be 36500d at most");
		Duration forever = ChronoUnit.FOREVER.getDuration();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new BackoffSettings(longest, forever, 2, 0, Duration.ofMinutes(2)))
			.withMessage("'max' must be 36500d at most");
		assertThatIllegalArgumentException().isThrownBy(() -> settings(Duration.ofNanos(-1)))
			.withMessage("'resyncPeriod' must not be negative");
	}

}
