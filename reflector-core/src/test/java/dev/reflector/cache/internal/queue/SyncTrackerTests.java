package dev.reflector.cache.internal.queue;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SyncTracker}.
 */
class SyncTrackerTests {

	@Test
	void c264_c267_onlyWhatHasBegunAndEndedCounts() {
		SyncTracker tracker = new SyncTracker(1);
		assertThat(tracker.hasSynced()).isFalse();
		// nothing has left the queue before something has entered it
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
	void c264_aFirstStateOfNothingIsComplete() {
		SyncTracker tracker = new SyncTracker(1);
		tracker.populate("");
		tracker.expect(0);
		assertThat(tracker.hasSynced()).isTrue();
	}

	@Test
	void c264_itNeverGoesBack() {
		SyncTracker tracker = new SyncTracker(1);
		tracker.populate("");
		tracker.expect(1);
		tracker.left(1);
		assertThat(tracker.hasSynced()).isTrue();
		tracker.expect(5);
		assertThat(tracker.hasSynced()).isTrue();
	}

	@Test
	void c266_theLastOfAHundredDecidesAndOneTooManyDoesNoHarm() {
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
	void c267_ofSeveralScopesEachHasToBegin() {
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
