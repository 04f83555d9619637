package dev.reflector.sharding.membership;

import java.time.Duration;

import dev.reflector.internal.lease.LeaseTimes;

/**
 * The times of a membership. All replicas should have the same times. Make them with a
 * {@linkplain #builder() builder}, which has the defaults.
 * <p>
 * In each retry period, a replica writes its Lease and reads the Leases of all replicas,
 * so with n replicas the server sends n² Leases. With many replicas, choose longer times.
 *
 * @param leaseDuration time after which other replicas take over if they have seen no
 * renewal; whole seconds, at least one second and at most 365 days
 * @param renewDeadline how long a replica continues to own its slots after it has sent
 * its last successful renewal; less than the lease duration, and more than 1.2 times the
 * retry period
 * @param retryPeriod shortest pause between two renewals, more than zero; each pause is
 * multiplied by a random factor between 1 and 1.2
 * @param unownedAfter how long a slot may be without a replica that delivers it before it
 * is reported; more than the lease duration, and at most 365 days. If the server answers
 * within a second, the slots of a killed replica have new owners after at most the sum of
 * the lease duration, 4.8 retry periods and 3 seconds. If this time is shorter than that
 * sum, some of these slots are reported, too
 * @since 0.1.0
 */
public record ShardMembershipConfig(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod,
		Duration unownedAfter) {

	/**
	 * Checks the times.
	 * @throws IllegalArgumentException when a time is out of its range
	 */
	public ShardMembershipConfig {
		LeaseTimes.check(leaseDuration, renewDeadline, retryPeriod);
		LeaseTimes.requireAtMostAYear("unownedAfter", unownedAfter);
		if (unownedAfter.compareTo(leaseDuration) <= 0) {
			throw new IllegalArgumentException("'unownedAfter' must be greater than 'leaseDuration'");
		}
	}

	/**
	 * Returns the times of client-go's leader election, 15, 10 and 2 seconds, and a
	 * report of undelivered slots after 45 seconds.
	 * @return the times
	 */
	public static ShardMembershipConfig defaults() {
		return builder().build();
	}

	/**
	 * Returns a builder with the {@linkplain #defaults() defaults}.
	 * @return the builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/** Builds the times. A time that is not set has its default. */
	public static final class Builder {

		private Duration leaseDuration = LeaseTimes.LEASE_DURATION;

		private Duration renewDeadline = LeaseTimes.RENEW_DEADLINE;

		private Duration retryPeriod = LeaseTimes.RETRY_PERIOD;

		private Duration unownedAfter = Duration.ofSeconds(45);

		private Builder() {
		}

		/**
		 * Sets {@link ShardMembershipConfig#leaseDuration()}, in whole seconds. The
		 * default is 15 seconds.
		 * @param leaseDuration the value
		 * @return this builder
		 */
		public Builder leaseDuration(Duration leaseDuration) {
			this.leaseDuration = leaseDuration;
			return this;
		}

		/**
		 * Sets {@link ShardMembershipConfig#renewDeadline()}. The default is 10 seconds.
		 * @param renewDeadline the value
		 * @return this builder
		 */
		public Builder renewDeadline(Duration renewDeadline) {
			this.renewDeadline = renewDeadline;
			return this;
		}

		/**
		 * Sets {@link ShardMembershipConfig#retryPeriod()}. The default is 2 seconds.
		 * @param retryPeriod the value
		 * @return this builder
		 */
		public Builder retryPeriod(Duration retryPeriod) {
			this.retryPeriod = retryPeriod;
			return this;
		}

		/**
		 * Sets {@link ShardMembershipConfig#unownedAfter()}. The default is 45 seconds.
		 * @param unownedAfter the value
		 * @return this builder
		 */
		public Builder unownedAfter(Duration unownedAfter) {
			this.unownedAfter = unownedAfter;
			return this;
		}

		/**
		 * Builds the times.
		 * @return the times
		 * @throws IllegalArgumentException when a time is out of its range
		 */
		public ShardMembershipConfig build() {
			return new ShardMembershipConfig(this.leaseDuration, this.renewDeadline, this.retryPeriod,
					this.unownedAfter);
		}

	}

}
