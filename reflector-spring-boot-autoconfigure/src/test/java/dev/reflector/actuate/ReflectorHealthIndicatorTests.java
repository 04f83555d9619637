package dev.reflector.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.cache.TimeSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ReflectorHealthIndicator}.
 */
class ReflectorHealthIndicatorTests {

	@Test
	void syncedAndConnectedIsUp() {
		Health health = health(FakeReflector.status(ReflectorState.WATCHING, true, null, null), null);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsOnly(Map.entry("state", ReflectorState.WATCHING),
				Map.entry("synced", true), Map.entry("size", 3),
				Map.entry("lastSyncResourceVersion", "9007199254740993123"));
	}

	@Test
	void notSyncedIsOutOfService() {
		assertThat(health(FakeReflector.status(ReflectorState.LISTING, false, null, null), null).getStatus())
			.isEqualTo(Status.OUT_OF_SERVICE);
	}

	@Test
	void stoppedIsOutOfService() {
		assertThat(health(FakeReflector.status(ReflectorState.STOPPED, true, null, null), null).getStatus())
			.isEqualTo(Status.OUT_OF_SERVICE);
	}

	@Test
	void failingForAWhileIsUp() {
		assertThat(health(failing(Duration.ofSeconds(60)), null).getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void failingForLongerThanThresholdIsDownWithLastError() {
		Health health = health(failing(Duration.ofSeconds(61)), null);
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("failingSince", FakeReflector.NOW.minusSeconds(61))
			.containsEntry("lastError", Map.of("at", FakeReflector.forbidden().at(), "status", 403, "reason",
					"Forbidden", "message", "pods is forbidden"));
	}

	@Test
	void awaitingATypeFromTheStartIsOutOfServiceHoweverLongItTakes() {
		Health health = health(FakeReflector.status(ReflectorState.AWAITING_TYPE, false,
				FakeReflector.NOW.minusSeconds(3600), FakeReflector.forbidden()), null);
		assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
		assertThat(health.getDetails()).containsEntry("state", ReflectorState.AWAITING_TYPE)
			.containsEntry("awaitedType", "apps/v1 Deployment")
			.containsKey("lastError");
	}

	@Test
	void missingATypeThatWasThereIsDownAfterAWhile() {
		Instant since = FakeReflector.NOW.minusSeconds(60);
		assertThat(health(FakeReflector.status(ReflectorState.AWAITING_TYPE, true, since, null), null).getStatus())
			.isEqualTo(Status.UP);
		assertThat(health(FakeReflector.status(ReflectorState.AWAITING_TYPE, true, since.minusSeconds(1), null), null)
			.getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void pausedIsVisible() {
		Health health = health(FakeReflector.status(ReflectorState.PAUSED, true, null, null), null);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("state", ReflectorState.PAUSED);
	}

	@Test
	void notMeantToRunIsUnknownWithReason() {
		Health health = health(FakeReflector.status(ReflectorState.STOPPED, false, null, null), "no server");
		assertThat(health.getStatus()).isEqualTo(Status.UNKNOWN);
		assertThat(health.getDetails()).containsOnly(Map.entry("state", ReflectorState.STOPPED),
				Map.entry("reason", "no server"));
	}

	private static ReflectorStatus failing(Duration since) {
		return FakeReflector.status(ReflectorState.BACKING_OFF, true, FakeReflector.NOW.minus(since),
				FakeReflector.forbidden());
	}

	private static Health health(ReflectorStatus status, @Nullable String idleReason) {
		TimeSource time = mock(TimeSource.class);
		given(time.now()).willReturn(Instant.from(FakeReflector.NOW));
		Health health = new ReflectorHealthIndicator(new FakeReflector<>("pods", status), Duration.ofMinutes(1), time,
				() -> idleReason)
			.health();
		assertThat(health).isNotNull();
		return health;
	}

}
