package dev.reflector.sharding.membership;

import java.time.Duration;
import java.util.random.RandomGenerator;

import dev.reflector.cache.config.TimeSource;

/**
 * Says when the next round is due, and when the Lease lapses. Guarded by the lock of the
 * membership.
 */
final class RoundTimer {

	/** How much longer a pause can be, as a part of the retry period. */
	private static final double JITTER = 0.2;

	private final TimeSource time;

	private final RandomGenerator random;

	private final Duration retryPeriod;

	private Runnable round = () -> {
	};

	private Runnable deadline = () -> {
	};

	RoundTimer(TimeSource time, RandomGenerator random, Duration retryPeriod) {
		this.time = time;
		this.random = random;
		this.retryPeriod = retryPeriod;
	}

	void nextRound(boolean atOnce, Runnable task) {
		double pause = atOnce ? 0 : 1 + JITTER * this.random.nextDouble();
		this.round.run();
		this.round = this.time.schedule(Duration.ofNanos((long) (pause * this.retryPeriod.toNanos())), task);
	}

	void deadline(long nanos, Runnable task) {
		this.deadline.run();
		this.deadline = this.time.schedule(Duration.ofNanos(nanos), task);
	}

	void cancel() {
		this.round.run();
		this.deadline.run();
	}

}
