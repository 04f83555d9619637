package dev.reflector.leaderelection;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The content of the lock. The times are for display only: clocks of replicas differ, so
 * no decision depends on these times.
 *
 * @param holderIdentity identity of the leader, empty after a release
 * @param leaseDurationSeconds how long other replicas wait after a renewal before they
 * take over
 * @param acquireTime when the holder began to lead, by its own clock
 * @param renewTime when the holder sent this renewal, by its own clock
 * @param leaderTransitions how often the lock had been acquired before this term
 * @since 0.1.0
 */
public record LeaderElectionRecord(String holderIdentity, int leaseDurationSeconds, @Nullable Instant acquireTime,
		@Nullable Instant renewTime, int leaderTransitions) {

	private static final int RELEASED_SECONDS = 1;

	/** Returns the record of the same term after a renewal. */
	LeaderElectionRecord renewed(Instant now) {
		return new LeaderElectionRecord(this.holderIdentity, this.leaseDurationSeconds, this.acquireTime, now,
				this.leaderTransitions);
	}

	/** Returns the record that releases the lock, in client-go's form. */
	LeaderElectionRecord released(Instant now) {
		return new LeaderElectionRecord("", RELEASED_SECONDS, now, now, this.leaderTransitions);
	}

	/**
	 * Whether this record can follow the record {@code before}. This is so if both
	 * records are equal, if this record renews or releases the same term, or if it
	 * belongs to a later term. If an operator has removed the holder by hand, this does
	 * not count as a release, because the times are unchanged.
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
	 * Whether both records belong to one term of one holder. The acquire time
	 * distinguishes two holders that have the same identity by mistake.
	 */
	boolean isSameTermAs(LeaderElectionRecord other) {
		return this.holderIdentity.equals(other.holderIdentity) && this.leaderTransitions == other.leaderTransitions
				&& this.acquireTime != null && this.acquireTime.equals(other.acquireTime);
	}

}
