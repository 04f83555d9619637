package dev.reflector.internal.lease;

import java.time.Duration;

/**
 * The times of Leases in leader election and shard membership: the defaults, which are
 * those of client-go, and the limits.
 */
public final class LeaseTimes {

	public static final Duration LEASE_DURATION = Duration.ofSeconds(15);

	public static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);

	public static final Duration RETRY_PERIOD = Duration.ofSeconds(2);

	/** Longest time of an option. Timers count in nanoseconds, and would overflow. */
	private static final Duration LONGEST = Duration.ofDays(365);

	private LeaseTimes() {
	}

	/**
	 * Checks the times by client-go's rules.
	 * @throws IllegalArgumentException when a time is out of its range
	 */
	public static void check(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
		require(leaseDuration.toSeconds() >= 1 && leaseDuration.getNano() == 0,
				"'leaseDuration' must be one or more whole seconds");
		requireAtMostAYear("leaseDuration", leaseDuration);
		require(renewDeadline.compareTo(leaseDuration) < 0, "'renewDeadline' must be less than 'leaseDuration'");
		require(retryPeriod.compareTo(Duration.ZERO) > 0, "'retryPeriod' must be positive");
		// the first comparison keeps the products small
		boolean apart = retryPeriod.compareTo(renewDeadline) < 0
				&& renewDeadline.multipliedBy(5).compareTo(retryPeriod.multipliedBy(6)) > 0;
		require(apart, "'renewDeadline' must be greater than 1.2 times 'retryPeriod'");
	}

	/**
	 * Checks that a timer can count a time.
	 * @throws IllegalArgumentException when the time is too long
	 */
	public static void requireAtMostAYear(String name, Duration time) {
		require(time.compareTo(LONGEST) <= 0, "'" + name + "' must be " + LONGEST.toDays() + "d at most");
	}

	private static void require(boolean condition, String message) {
		if (!condition) {
			throw new IllegalArgumentException(message);
		}
	}

}
