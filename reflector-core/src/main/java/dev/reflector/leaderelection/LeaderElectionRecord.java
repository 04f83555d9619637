package dev.reflector.leaderelection;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What the lock says about the election. The times are for people: clocks of replicas
 * differ, so no decision depends on them.
 *
 * @param holderIdentity who leads, empty after a release
 * @param leaseDurationSeconds how long the others wait after a renewal
 * @param acquireTime when the holder has begun to lead, by its own clock
 * @param renewTime when the holder has sent this renewal, by its own clock
 * @param leaderTransitions how often the lock was acquired before
 * @since 0.1.0
 */
public record LeaderElectionRecord(String holderIdentity, int leaseDurationSeconds, @Nullable Instant acquireTime,
		@Nullable Instant renewTime, int leaderTransitions) {

	/** The same term, renewed. */
	LeaderElectionRecord renewed(Instant now) {
		return new LeaderElectionRecord(this.holderIdentity, this.leaseDurationSeconds, this.acquireTime, now,
				this.leaderTransitions);
	}

	/** The lock without a holder. */
	LeaderElectionRecord released(Instant now) {
		return new LeaderElectionRecord("", 1, now, now, this.leaderTransitions);
	}

	/**
	 * Whether both are of one term of one holder. The time of the acquisition keeps apart
	 * two holders that were given the same identity by mistake.
	 */
	boolean isSameTermAs(LeaderElectionRecord other) {
		return this.holderIdentity.equals(other.holderIdentity) && this.leaderTransitions == other.leaderTransitions
				&& this.acquireTime != null && this.acquireTime.equals(other.acquireTime);
	}

}
