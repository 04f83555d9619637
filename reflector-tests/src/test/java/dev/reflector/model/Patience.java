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

	private Patience() {
	}

	/**
	 * Waits.
	 * @param atMost for how long
	 * @param condition for what
	 * @return whether it has come
	 */
	static boolean await(Duration atMost, BooleanSupplier condition) {
		long from = System.nanoTime();
		boolean fulfilled = condition.getAsBoolean();
		while (!fulfilled && System.nanoTime() - from < atMost.toNanos()) {
			LockSupport.parkNanos(LOOK_NANOS);
			fulfilled = condition.getAsBoolean();
		}
		return fulfilled;
	}

	static boolean await(BooleanSupplier condition) {
		return await(LONGEST, condition);
	}

}
