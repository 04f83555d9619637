package dev.reflector.sharding.membership;

import java.time.Duration;

/**
 * The times of a membership. All replicas should have the same times.
 * <p>
 * In each retry period, a replica writes its Lease and reads the Leases of all replicas,
 * so with n replicas the server sends n² Leases. With many replicas, choose longer times.
 *
 * @param leaseDuration time after which other replicas take over if they have seen no
 * renewal, in whole seconds, 2147483647 at most
 * @param renewDeadline how long a replica continues to own its slots after it has sent
 * its last successful renewal
 * @param retryPeriod shortest pause between two renewals; each pause is multiplied by a
 * random factor between 1 and 1.2
 * @param unownedAfter how long a slot may be without a replica that delivers it before it
 * is reported. If the server answers within a second, the slots of a killed replica have
 * new owners after at most the sum of the lease duration, 4.8 retry periods and 3
 * seconds. If this time is shorter than that sum, some of these slots are reported, too
 * @since 0.1.0
 */
public record ShardMembershipConfig(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod,
		Duration unownedAfter) {

	/**
	 * Checks the times.
	 * @throws IllegalArgumentException when the times do not fit each other
	 */
	public ShardMembershipConfig {
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
		require(renewDeadline.toNanos() > 1.2 * retryPeriod.toNanos(), tooShort);
		require(unownedAfter.compareTo(leaseDuration) > 0, "unownedAfter must be greater than leaseDuration");
	}

	/**
	 * Returns the times of client-go's leader election, 15, 10 and 2 seconds, and a
	 * report of undelivered slots after 45 seconds.
	 * @return the times
	 */
	public static ShardMembershipConfig defaults() {
		return new ShardMembershipConfig(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2),
				Duration.ofSeconds(45));
	}

	private static void require(boolean condition, String message) {
		if (!condition) {
			throw new IllegalArgumentException(message);
		}
	}

}
