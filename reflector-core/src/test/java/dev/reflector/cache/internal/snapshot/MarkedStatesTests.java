package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.reflector.cache.config.SystemTimeSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests when marks are set.
 */
class MarkedStatesTests {

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private final SystemTimeSource time = new SystemTimeSource();

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

	@AfterEach
	void close() {
		this.time.close();
	}

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

}
