package dev.reflector.actuate.health;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ReflectorStatus.Shard.FilteredBy;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.fixture.FakeReflector;
import org.jspecify.annotations.Nullable;
import org.assertj.core.api.InstanceOfAssertFactories;
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

	private static final Duration STALE = Duration.ofMinutes(10);

	@Test
	void syncedAndConnectedIsUp() {
		Health health = health(FakeReflector.status(ReflectorState.WATCHING, true, null, null), null);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsOnly(Map.entry("state", ReflectorState.WATCHING),
				Map.entry("synced", true), Map.entry("connected", true), Map.entry("fresh", true), Map.entry("size", 3),
				Map.entry("skipped", 2), Map.entry("lastSyncResourceVersion", "9007199254740993123"),
				Map.entry("lastProgressAt", FakeReflector.NOW.minusSeconds(5)));
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

	@Test
	void threeFactsAreIndependent() {
		assertThat(health(failing(Duration.ofSeconds(1)), null).getDetails()).containsEntry("synced", true)
			.containsEntry("connected", false)
			.containsEntry("fresh", true);
		assertThat(health(FakeReflector.status(ReflectorState.LISTING, false, null, null), null).getDetails())
			.containsEntry("synced", false)
			.containsEntry("connected", true)
			.containsEntry("fresh", true);
		assertThat(health(silent(ReflectorState.WATCHING, Duration.ofHours(1), true), null).getDetails())
			.containsEntry("synced", true)
			.containsEntry("connected", true)
			.containsEntry("fresh", false);
	}

	@Test
	void silenceOfServerThatSendsBookmarksIsDownAfterThreshold() {
		assertThat(health(silent(ReflectorState.WATCHING, STALE, true), null).getStatus()).isEqualTo(Status.UP);
		Health health = health(silent(ReflectorState.WATCHING, STALE.plusSeconds(1), true), null);
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("lastProgressAt", FakeReflector.NOW.minus(STALE.plusSeconds(1)));
	}

	@Test
	void aServerThatSendsNoBookmarksMayBeSilent() {
		Health health = health(silent(ReflectorState.WATCHING, Duration.ofHours(1), false), null);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("fresh", false);
	}

	@Test
	void pausedReflectorMayBeStale() {
		Health health = health(silent(ReflectorState.PAUSED, Duration.ofHours(1), true), null);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("fresh", false);
	}

	@Test
	void thresholdOfZeroIsNever() {
		Health health = health(silent(ReflectorState.WATCHING, Duration.ofDays(1), true), null, Duration.ZERO, 0);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("fresh", true);
	}

	@Test
	void skippedObjectsAreDownFromTheThresholdOn() {
		ReflectorStatus status = FakeReflector.status(ReflectorState.WATCHING, true, null, null);
		assertThat(health(status, 3).getStatus()).isEqualTo(Status.UP);
		assertThat(health(status, 2).getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void aMirrorOfWhichNoObjectCanBeReadIsDown() {
		ReflectorStatus status = new ReflectorStatus(ReflectorState.WATCHING, "7", true, 0, 4, 0,
				new ReflectorStatus.Counts(1, 1, 0, 1, 0, 0, 1, 0), FakeReflector.NOW, null, null, null, null, null,
				new ReflectorStatus.Contact(true, FakeReflector.NOW, true));
		assertThat(health(status, 0).getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void nothingIsFreshBeforeTheFirstList() {
		ReflectorStatus status = new ReflectorStatus(ReflectorState.LISTING, "", false, 0, 0, 0,
				new ReflectorStatus.Counts(0, 0, 0, 0, 0, 0, 0, 0), null, null, null, null, null, null,
				new ReflectorStatus.Contact(true, null, false));
		assertThat(health(status, null).getDetails()).containsEntry("fresh", false).doesNotContainKey("lastProgressAt");
	}

	@Test
	void aListenerThatDoesNotReturnIsShown() {
		ReflectorStatus status = new ReflectorStatus(ReflectorState.WATCHING, "7", true, 1, 0, 0,
				new ReflectorStatus.Counts(1, 1, 0, 1, 0, 0, 1, 0), FakeReflector.NOW, null, null, null, null,
				new ReflectorStatus.BusyListener("Shipping.on", "ADDED default/a", FakeReflector.NOW),
				new ReflectorStatus.Contact(true, FakeReflector.NOW, true));
		assertThat(health(status, null).getStatus()).isEqualTo(Status.UP);
		assertThat(health(status, null).getDetails()).containsEntry("busyListener",
				Map.of("name", "Shipping.on", "subject", "ADDED default/a", "since", FakeReflector.NOW));
	}

	/**
	 * The mirror and its listeners still work, and a restart would not help the store.
	 */
	@Test
	void aSnapshotThatHasBeenBehindForLongIsADetail() {
		FakeReflector<Object> reflector = new FakeReflector<>("pods",
				FakeReflector.status(ReflectorState.WATCHING, true, null, null));
		reflector.durable(true);
		Health health = health(reflector, null, STALE, 0);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("snapshot",
				Map.of("writing", true, "restored", 21, "size", 22, "contentUnknown", 2, "cursors",
						Map.of("a", "1000", "b", "999"), "committedAt", FakeReflector.NOW.minusSeconds(40),
						"commitTook", Duration.ofMillis(3), "behindSince", FakeReflector.NOW.minusSeconds(3600),
						"slowestListener",
						Map.of("name", "SlowListener.on", "since", FakeReflector.NOW.minusSeconds(1800))));
	}

	@Test
	void aSnapshotThatHasBeenBehindForLongerThanItMayIsDown() {
		FakeReflector<Object> reflector = new FakeReflector<>("pods",
				FakeReflector.status(ReflectorState.WATCHING, true, null, null));
		reflector.durable(true);
		assertThat(behindHealth(reflector, Duration.ofMinutes(59)).getStatus()).isEqualTo(Status.DOWN);
		assertThat(behindHealth(reflector, Duration.ofMinutes(60)).getStatus()).isEqualTo(Status.UP);
		assertThat(behindHealth(new FakeReflector<>("pods", reflector.status()), Duration.ofMinutes(1)).getStatus())
			.isEqualTo(Status.UP);
	}

	@Test
	void aSnapshotThatAnotherApplicationWritesIsDown() {
		FakeReflector<Object> reflector = new FakeReflector<>("pods",
				FakeReflector.status(ReflectorState.WATCHING, true, null, null));
		reflector.heldBy("shop");
		Health health = health(reflector, null, STALE, 0);
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails().get("snapshot")).isEqualTo(Map.of("writing", false, "restored", 0, "size", 0,
				"contentUnknown", 0, "cursors", Map.of(), "heldBy", "shop"));
	}

	@Test
	void aSnapshotOfSomethingElseThatKeepsAReplicaFromDeliveringIsDown() {
		FakeReflector<Object> reflector = new FakeReflector<>("pods",
				FakeReflector.status(ReflectorState.WATCHING, true, null, null));
		reflector.mismatch("it is of v1 Other");
		Health health = health(reflector, null, STALE, 0);
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).extractingByKey("snapshot", InstanceOfAssertFactories.MAP)
			.extractingByKey("lastError", InstanceOfAssertFactories.MAP)
			.containsEntry("reason", "SnapshotMismatch")
			.containsEntry("message", "it is of v1 Other");
	}

	@Test
	void aLeaderThatCannotTakeOverItsSnapshotIsDown() {
		FakeReflector<Object> reflector = new FakeReflector<>("pods",
				FakeReflector.status(ReflectorState.WATCHING, true, null, null));
		reflector.failedSnapshot("the store is away");
		assertThat(health(reflector, null, STALE, 0).getStatus()).isEqualTo(Status.UP);
		reflector.standby = true;
		assertThat(health(reflector, null, STALE, 0).getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void aShareIsADetail() {
		FakeReflector<Object> reflector = new FakeReflector<>("pods",
				FakeReflector.status(ReflectorState.WATCHING, true, null, null));
		assertThat(health(reflector, null, STALE, 0).getDetails()).doesNotContainKey("shard");
		reflector.sharded(FilteredBy.CLIENT);
		assertThat(health(reflector, null, STALE, 0).getDetails()).containsEntry("shard",
				Map.of("selector", "shardRange(object.metadata.uid, '0x4', '0x8')", "index", 1, "count", 4,
						"filteredBy", FilteredBy.CLIENT));
	}

	private static ReflectorStatus silent(ReflectorState state, Duration since, boolean bookmarks) {
		Instant at = FakeReflector.NOW.minus(since);
		return new ReflectorStatus(state, "7", true, 1, 0, 0, new ReflectorStatus.Counts(1, 1, 0, 1, 0, 0, 1, 0), at,
				null, null, null, null, null,
				new ReflectorStatus.Contact(state != ReflectorState.PAUSED, at, bookmarks));
	}

	private static ReflectorStatus failing(Duration since) {
		return FakeReflector.status(ReflectorState.BACKING_OFF, true, FakeReflector.NOW.minus(since),
				FakeReflector.forbidden());
	}

	private static Health health(ReflectorStatus status, @Nullable String idleReason) {
		return health(status, idleReason, STALE, 0);
	}

	private static Health health(ReflectorStatus status, int skippedThreshold) {
		return health(status, null, STALE, skippedThreshold);
	}

	private static Health health(ReflectorStatus status, @Nullable String idleReason, Duration stale,
			int skippedThreshold) {
		return health(new FakeReflector<>("pods", status), idleReason, stale, skippedThreshold);
	}

	private static Health health(FakeReflector<Object> reflector, @Nullable String idleReason, Duration stale,
			int skippedThreshold) {
		return health(reflector, idleReason, stale, skippedThreshold, Duration.ZERO);
	}

	private static Health behindHealth(FakeReflector<Object> reflector, Duration behind) {
		return health(reflector, null, STALE, 0, behind);
	}

	private static Health health(FakeReflector<Object> reflector, @Nullable String idleReason, Duration stale,
			int skippedThreshold, Duration behind) {
		TimeSource time = mock(TimeSource.class);
		given(time.now()).willReturn(Instant.from(FakeReflector.NOW));
		Health health = new ReflectorHealthIndicator(reflector, Duration.ofMinutes(1), stale, skippedThreshold, behind,
				time, () -> idleReason)
			.health();
		assertThat(health).isNotNull();
		return health;
	}

}
