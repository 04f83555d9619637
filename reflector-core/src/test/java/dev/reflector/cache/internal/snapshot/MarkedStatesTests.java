package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.reflector.fixture.ManualTime;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests when marks are set.
 */
class MarkedStatesTests {

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private final ManualTime time = new ManualTime();

	private final List<CompletableFuture<Void>> handlers = new ArrayList<>();

	private int version;

	private final MarkedStates<String> states = new MarkedStates<>(1, INTERVAL, this.time,
			new MarkedStates.Source<String>() {

				@Override
				public String version(int scope) {
					return Integer.toString(MarkedStatesTests.this.version);
				}

				@Override
				public boolean isStored(int scope, String version) {
					return false;
				}

				@Override
				public boolean isBehind(int scope) {
					return true;
				}

				@Override
				public void send(int scope, CompletionMarks<String>.Mark mark) {
					CompletableFuture<Void> passed = new CompletableFuture<>();
					MarkedStatesTests.this.handlers.add(passed);
					mark.inMirror(version(scope));
					mark.passes(passed, List::of, version(scope));
				}

			});

	private void change(boolean now) {
		this.version++;
		this.states.reached();
		this.states.mark(now, () -> {
		});
	}

	/** Marks are set seldom while handlers are far behind. */
	@Test
	void aHandlerThatHasCaughtUpHasTheNextMarkSetAfterOneInterval() throws Exception {
		for (int i = 0; i < 1000; i++) {
			change(true);
		}
		this.version++;
		assertThat(this.states.untilDue(false)).isGreaterThan(10 * INTERVAL.toNanos());
		this.handlers.forEach((handler) -> handler.complete(null));
		this.states.commit(true, (scope, state) -> Duration.ZERO);
		assertThat(this.states.untilDue(false)).isLessThanOrEqualTo(INTERVAL.toNanos());
	}

	/** Returns how long no commit is due after one that took the given time. */
	private Duration pauseAfter(Duration commit) throws Exception {
		change(true);
		this.handlers.forEach((handler) -> handler.complete(null));
		this.states.commit(true, (scope, state) -> commit);
		change(true);
		this.handlers.forEach((handler) -> handler.complete(null));
		return Duration.ofNanos(this.states.untilDue(false));
	}

	@Test
	void afterALongCommitThereIsAPauseOfFifteenTimesThatAndOfEightSecondsAtMost() throws Exception {
		assertThat(pauseAfter(Duration.ofMillis(1))).isEqualTo(INTERVAL);
		assertThat(pauseAfter(Duration.ofMillis(100))).isEqualTo(Duration.ofMillis(1500));
		assertThat(pauseAfter(Duration.ofMinutes(1))).isEqualTo(Duration.ofSeconds(8));
	}

	/**
	 * The distance of marks depends on how far the handler is behind, not on slow
	 * commits.
	 */
	@Test
	void aLongCommitDoesNotDelayTheMarksOfAHandlerThatIsFarBehind() throws Exception {
		for (int i = 0; i < 100; i++) {
			change(true);
		}
		this.version++;
		assertThat(Duration.ofNanos(this.states.untilDue(false))).isEqualTo(INTERVAL.multipliedBy(4));
		this.handlers.subList(0, 50).forEach((handler) -> handler.complete(null));
		this.states.commit(true, (scope, state) -> Duration.ofMinutes(1));
		change(true);
		this.version++;
		assertThat(Duration.ofNanos(this.states.untilDue(false))).isEqualTo(INTERVAL.multipliedBy(4));
	}

	/**
	 * The changes between two commits are a small part of the handler's queued changes.
	 */
	@Test
	void aHandlerThatCatchesUpHasCommitsAllAlongWhereTheyAreSlow() throws Exception {
		change(true);
		this.handlers.get(0).complete(null);
		this.states.commit(true, (scope, state) -> Duration.ofMinutes(1));
		for (int i = 0; i < 20_000; i++) {
			this.time.advance(INTERVAL.dividedBy(10));
			change(false);
		}
		List<Integer> stored = new ArrayList<>(List.of(1));
		for (CompletableFuture<Void> handler : this.handlers) {
			handler.complete(null);
			this.states.commit(true, (scope, state) -> {
				stored.add(Integer.parseInt(state));
				return Duration.ZERO;
			});
		}
		assertThat(stored).last().asInstanceOf(InstanceOfAssertFactories.INTEGER).isGreaterThan(19_000);
		for (int i = 1; i < stored.size(); i++) {
			assertThat(stored.get(i) - stored.get(i - 1)).isLessThanOrEqualTo(20_000 / 30);
		}
	}

	/** The next commit stores the newest completed state. */
	@Test
	void oneCompletedStateIsKeptUntilACommitIsDue() throws Exception {
		for (int i = 0; i < 1000; i++) {
			change(true);
			this.handlers.get(i).complete(null);
		}
		this.version++;
		assertThat(this.states.untilDue(false)).isLessThanOrEqualTo(INTERVAL.toNanos());
		List<String> stored = new ArrayList<>();
		this.states.commit(true, (scope, state) -> {
			stored.add(state);
			return Duration.ZERO;
		});
		assertThat(stored).containsExactly("1000");
	}

}
