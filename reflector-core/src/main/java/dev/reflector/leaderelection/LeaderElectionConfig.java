package dev.reflector.leaderelection;

import java.time.Duration;

import dev.reflector.internal.lease.LeaseTimes;

/**
 * The options of a leader election. All replicas should have the same times. Make the
 * options with a {@linkplain #builder() builder}, which has the defaults of client-go.
 *
 * @param leaseDuration time after which another replica takes over if it has seen no
 * renewal; whole seconds, at least one second and at most 365 days
 * @param renewDeadline how long a leader continues to lead after it has sent its last
 * successful renewal; less than the lease duration, and more than 1.2 times the retry
 * period
 * @param retryPeriod pause between two attempts of a leader, more than zero; other
 * replicas multiply the pause by a random factor from 1 to 2.2
 * @param releaseOnCancel whether a leader that stops releases the lock, so that another
 * replica can take over at once
 * @since 0.1.0
 */
public record LeaderElectionConfig(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod,
		boolean releaseOnCancel) {

	/**
	 * Checks the times.
	 * @throws IllegalArgumentException when a time is out of its range
	 */
	public LeaderElectionConfig {
		LeaseTimes.check(leaseDuration, renewDeadline, retryPeriod);
	}

	/**
	 * Returns the defaults, which are those of client-go: times of 15, 10 and 2 seconds,
	 * and no release of the lock.
	 * @return the options
	 */
	public static LeaderElectionConfig defaults() {
		return builder().build();
	}

	/**
	 * Returns a builder with the {@linkplain #defaults() defaults}.
	 * @return the builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/** Builds options. An option that is not set has its default. */
	public static final class Builder {

		private Duration leaseDuration = LeaseTimes.LEASE_DURATION;

		private Duration renewDeadline = LeaseTimes.RENEW_DEADLINE;

		private Duration retryPeriod = LeaseTimes.RETRY_PERIOD;

		private boolean releaseOnCancel;

		private Builder() {
		}

		/**
		 * Sets {@link LeaderElectionConfig#leaseDuration()}, in whole seconds. The
		 * default is 15 seconds.
		 * @param leaseDuration the value
		 * @return this builder
		 */
		public Builder leaseDuration(Duration leaseDuration) {
			this.leaseDuration = leaseDuration;
			return this;
		}

		/**
		 * Sets {@link LeaderElectionConfig#renewDeadline()}. The default is 10 seconds.
		 * @param renewDeadline the value
		 * @return this builder
		 */
		public Builder renewDeadline(Duration renewDeadline) {
			this.renewDeadline = renewDeadline;
			return this;
		}

		/**
		 * Sets {@link LeaderElectionConfig#retryPeriod()}. The default is 2 seconds.
		 * @param retryPeriod the value
		 * @return this builder
		 */
		public Builder retryPeriod(Duration retryPeriod) {
			this.retryPeriod = retryPeriod;
			return this;
		}

		/**
		 * Sets {@link LeaderElectionConfig#releaseOnCancel()}. The default is
		 * {@code false}.
		 * @param releaseOnCancel the value
		 * @return this builder
		 */
		public Builder releaseOnCancel(boolean releaseOnCancel) {
			this.releaseOnCancel = releaseOnCancel;
			return this;
		}

		/**
		 * Builds the options.
		 * @return the options
		 * @throws IllegalArgumentException when a time is out of its range
		 */
		public LeaderElectionConfig build() {
			return new LeaderElectionConfig(this.leaseDuration, this.renewDeadline, this.retryPeriod,
					this.releaseOnCancel);
		}

	}

}
