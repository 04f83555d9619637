package dev.reflector.leaderelection;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * What this replica has seen of the lock. A term counts until its holder has released the
 * lock, until a later term has begun, or until its lease duration has passed.
 * <p>
 * When the server is restored, or somebody edits or deletes the lock, it no longer shows
 * who leads: the leader may not have noticed, and this replica may have missed the
 * leader. So what does not follow what was seen before puts the lock in doubt for one
 * lease duration.
 */
final class Observations {

	private final long defaultSeconds;

	private volatile @Nullable Observation latest;

	private boolean missing;

	private boolean doubted;

	private long doubtedUntil;

	private int highestEpoch = -1;

	/**
	 * Creates the observations of a replica that has seen nothing.
	 * @param defaultSeconds the lease duration of this replica
	 */
	Observations(long defaultSeconds) {
		this.defaultSeconds = defaultSeconds;
	}

	/**
	 * Takes over what the server has answered.
	 * @param found the lock, {@code null} when there is none
	 * @param leads whether this replica leads at this moment, so that no other does
	 * @param now nanoseconds of the local clock
	 * @return whether the lock is there and has changed
	 */
	boolean observe(ResourceLock.@Nullable Version found, boolean leads, long now) {
		Observation before = this.latest;
		boolean wasMissing = this.missing;
		this.missing = found == null;
		if (before != null && !leads && ((found != null) ? !found.record().follows(before.record()) : !wasMissing)) {
			int seconds = before.record().leaseDurationSeconds();
			this.doubted = true;
			this.doubtedUntil = now + TimeUnit.SECONDS.toNanos(Math.max(seconds, this.defaultSeconds));
		}
		if (found == null || (before != null && before.isOf(found))) {
			return false;
		}
		this.latest = new Observation(found, now);
		this.highestEpoch = Math.max(this.highestEpoch, found.record().leaderTransitions());
		return true;
	}

	/** What was seen last; on any thread. */
	@Nullable Observation latest() {
		return this.latest;
	}

	/**
	 * Whether another replica may still lead.
	 * @param own the last term of this replica, of which it knows by itself
	 * @param now nanoseconds of the local clock
	 */
	boolean isHeldByAnother(@Nullable LeaderElectionRecord own, long now) {
		this.doubted &= now - this.doubtedUntil <= 0;
		Observation last = this.latest;
		return this.doubted || (last != null && last.isHeld(now, this.defaultSeconds)
				&& (own == null || !last.record().isSameTermAs(own)));
	}

	/**
	 * Who holds the lock, by what was seen last.
	 * @param now nanoseconds of the local clock
	 * @return the identity, empty when nobody does or the lease has expired
	 */
	String holder(long now) {
		Observation last = this.latest;
		return (last != null && last.isHeld(now, this.defaultSeconds)) ? last.record().holderIdentity() : "";
	}

	/** Larger than the epoch of every term that this replica has seen. */
	int nextEpoch() {
		return this.highestEpoch + 1;
	}

}
