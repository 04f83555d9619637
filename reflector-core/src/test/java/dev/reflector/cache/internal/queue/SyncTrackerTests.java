package dev.reflector.cache.internal.queue;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SyncTracker}.
 */
class SyncTrackerTests {

	@Test
	void c264_c267_syncedWhenAStateWasQueuedAndProcessed() {
		SyncTracker tracker = new SyncTracker(1);
		assertThat(tracker.hasSynced()).isFalse();
		// a delta that leaves before a state has been queued does not count
		tracker.left(1);
		assertThat(tracker.hasSynced()).isFalse();
		assertThat(tracker.populate("")).isTrue();
		tracker.expect(2);
		assertThat(tracker.hasSynced()).isFalse();
		tracker.left(1);
		assertThat(tracker.hasSynced()).isFalse();
		tracker.left(1);
		assertThat(tracker.hasSynced()).isTrue();
	}

	@Test
	void c264_anEmptyFirstStateIsComplete() {
		SyncTracker tracker = new SyncTracker(1);
		tracker.populate("");
		tracker.expect(0);
		assertThat(tracker.hasSynced()).isTrue();
	}

	@Test
	void c264_syncedStaysTrue() {
		SyncTracker tracker = new SyncTracker(1);
		tracker.populate("");
		tracker.expect(1);
		tracker.left(1);
		assertThat(tracker.hasSynced()).isTrue();
		tracker.expect(5);
		assertThat(tracker.hasSynced()).isTrue();
	}

	@Test
	void c266_syncedAfterTheLastOfAHundredAndASurplusOneIsIgnored() {
		SyncTracker tracker = new SyncTracker(1);
		tracker.populate("");
		tracker.expect(100);
		assertThat(tracker.hasSynced()).isFalse();
		tracker.left(99);
		assertThat(tracker.hasSynced()).isFalse();
		assertThat(tracker.population()).isEqualTo(1);
		tracker.left(1);
		assertThat(tracker.hasSynced()).isTrue();
		tracker.left(1);
		assertThat(tracker.population()).isZero();
		assertThat(tracker.hasSynced()).isTrue();
	}

	@Test
	void c267_eachOfSeveralScopesMustBePopulated() {
		SyncTracker tracker = new SyncTracker(2);
		assertThat(tracker.populate("east")).isTrue();
		assertThat(tracker.populate("east")).isFalse();
		tracker.expect(1);
		tracker.left(1);
		assertThat(tracker.hasSynced()).isFalse();
		assertThat(tracker.populate("west")).isTrue();
		tracker.expect(1);
		assertThat(tracker.hasSynced()).isFalse();
		tracker.left(1);
		assertThat(tracker.hasSynced()).isTrue();
	}

}
