package dev.reflector.leaderelection;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What the lock says about the election. The times are for display only: clocks of
 * replicas differ, so no decision depends on them.
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

	private static final int RELEASED_SECONDS = 1;

	/** The same term, renewed. */
	LeaderElectionRecord renewed(Instant now) {
		return new LeaderElectionRecord(this.holderIdentity, this.leaseDurationSeconds, this.acquireTime, now,
				this.leaderTransitions);
	}

	/** The lock without a holder, as client-go releases it. */
	LeaderElectionRecord released(Instant now) {
		return new LeaderElectionRecord("", RELEASED_SECONDS, now, now, this.leaderTransitions);
	}

	/**
	 * Whether the replicas can have written this after another record, or it is the same:
	 * a renewal of its term, its release, or a later term. A holder that was removed by
	 * hand leaves the times as they were.
	 */
	boolean follows(LeaderElectionRecord before) {
		if (this.leaderTransitions != before.leaderTransitions) {
			return this.leaderTransitions > before.leaderTransitions;
		}
		if (this.holderIdentity.isEmpty() && !before.holderIdentity.isEmpty()) {
			return this.leaseDurationSeconds == RELEASED_SECONDS && Objects.equals(this.acquireTime, this.renewTime);
		}
		return this.holderIdentity.equals(before.holderIdentity) && Objects.equals(this.acquireTime, before.acquireTime)
				&& this.leaseDurationSeconds >= before.leaseDurationSeconds;
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
