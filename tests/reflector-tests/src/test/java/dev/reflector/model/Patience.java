package dev.reflector.model;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for a condition, for as long as a busy machine may need.
 */
final class Patience {

	static final Duration LONGEST = Duration.ofSeconds(Integer.getInteger("reflector.model.patience", 15));

	private static final long LOOK_NANOS = 200_000;

	/** After this time, a condition is checked less often. */
	private static final long SOON_NANOS = 20_000_000;

	private static final long LATE_LOOK_NANOS = 2_000_000;

	private Patience() {
	}

	/**
	 * Waits until a condition holds.
	 * @param atMost the maximum time to wait
	 * @param condition the condition
	 * @return whether the condition holds
	 */
	static boolean await(Duration atMost, BooleanSupplier condition) {
		long from = System.nanoTime();
		boolean fulfilled = condition.getAsBoolean();
		long passed = 0;
		while (!fulfilled && passed < atMost.toNanos()) {
			LockSupport
				.parkNanos(Math.min((passed < SOON_NANOS) ? LOOK_NANOS : LATE_LOOK_NANOS, atMost.toNanos() - passed));
			fulfilled = condition.getAsBoolean();
			passed = System.nanoTime() - from;
		}
		return fulfilled;
	}

	static boolean await(BooleanSupplier condition) {
		return await(LONGEST, condition);
	}

}
