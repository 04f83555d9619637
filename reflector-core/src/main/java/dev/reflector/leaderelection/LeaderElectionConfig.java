package dev.reflector.leaderelection;

import java.time.Duration;

/**
 * The times of a leader election. All replicas should have the same times.
 *
 * @param leaseDuration time after which another replica takes over if it has seen no
 * renewal, in whole seconds, 2147483647 at most
 * @param renewDeadline how long a leader continues to lead after it has sent its last
 * successful renewal
 * @param retryPeriod pause between two attempts of a leader; other replicas multiply the
 * pause by a random factor from 1 to 2.2
 * @param releaseOnCancel whether a leader that stops releases the lock, so that another
 * replica can take over at once
 * @since 0.1.0
 */
public record LeaderElectionConfig(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod,
		boolean releaseOnCancel) {

	/** The most that is added to a pause, as a multiple of the retry period. */
	static final double JITTER_FACTOR = 1.2;

	/**
	 * Checks the times.
	 * @throws IllegalArgumentException when the times do not fit each other
	 */
	public LeaderElectionConfig {
		require(leaseDuration.toSeconds() >= 1 && leaseDuration.getNano() == 0,
				"leaseDuration must be one or more whole seconds");
		// a Lease has the duration as an int32
		require(leaseDuration.toSeconds() <= Integer.MAX_VALUE,
				"leaseDuration must be " + Integer.MAX_VALUE + " seconds at most");
		require(retryPeriod.compareTo(Duration.ZERO) > 0, "retryPeriod must be greater than zero");
		require(leaseDuration.compareTo(renewDeadline) > 0, "leaseDuration must be greater than renewDeadline");
		String tooShort = "renewDeadline must be greater than 1.2 * retryPeriod";
		// the nanoseconds of a very long period do not fit into a long
		require(renewDeadline.compareTo(retryPeriod) > 0, tooShort);
		require(renewDeadline.toNanos() > JITTER_FACTOR * retryPeriod.toNanos(), tooShort);
	}

	/**
	 * Returns the times of client-go: 15, 10 and 2 seconds, and no release of the lock.
	 * @return the times
	 */
	public static LeaderElectionConfig defaults() {
		return new LeaderElectionConfig(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2), false);
	}

	private static void require(boolean condition, String message) {
		if (!condition) {
			throw new IllegalArgumentException(message);
		}
	}

}
