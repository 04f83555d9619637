package dev.reflector.leaderelection;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Remembers what this replica has seen of the lock. A term counts until its holder has
 * released the lock, until a later term has begun, or until its lease duration has
 * passed.
 * <p>
 * If the server is restored, or the lock is edited or deleted, the lock no longer shows
 * who leads: the leader may not have noticed the change, and this replica may not have
 * seen the leader. So if a record does not follow the last one seen, the lock is in doubt
 * for one lease duration. Terms may have begun unseen, so later epochs start at the next
 * multiple of {@link #ERA}.
 */
final class LockObservations {

	/**
	 * A number larger than the number of terms that can begin unseen before a server is
	 * restored.
	 */
	private static final int ERA = 1 << 16;

	private final long defaultSeconds;

	private volatile @Nullable ObservedLock latest;

	private boolean missing;

	private boolean doubted;

	private long doubtedUntil;

	private int highestEpoch = -1;

	/**
	 * The smallest epoch for the next term. Smaller epochs may have been used before the
	 * lock was in doubt.
	 */
	private int leastEpoch;

	/**
	 * Creates the observations of a replica that has seen nothing.
	 * @param defaultSeconds the lease duration of this replica
	 */
	LockObservations(long defaultSeconds) {
		this.defaultSeconds = defaultSeconds;
	}

	/**
	 * Notes the lock that the server has returned.
	 * @param found the lock, {@code null} when there is none
	 * @param leads whether this replica leads now, which means that no other replica does
	 * @param now nanoseconds of the local clock
	 * @return whether the lock exists, and is new to this replica or has changed since
	 * this replica last saw it
	 */
	boolean observe(ResourceLock.@Nullable Version found, boolean leads, long now) {
		ObservedLock before = this.latest;
		boolean wasMissing = this.missing;
		this.missing = found == null;
		if (before != null && !leads && ((found != null) ? !found.record().follows(before.record()) : !wasMissing)) {
			doubt(before, now);
		}
		if (found == null || (before != null && before.isOf(found))) {
			return false;
		}
		this.latest = new ObservedLock(found, now);
		this.highestEpoch = Math.max(this.highestEpoch, found.record().leaderTransitions());
		return true;
	}

	private void doubt(ObservedLock before, long now) {
		if (!isInDoubt(now)) {
			int last = Math.max(this.highestEpoch, this.leastEpoch);
			this.leastEpoch = (last <= Integer.MAX_VALUE - ERA) ? last - last % ERA + ERA : last;
		}
		int seconds = before.record().leaseDurationSeconds();
		this.doubted = true;
		this.doubtedUntil = now + TimeUnit.SECONDS.toNanos(Math.max(seconds, this.defaultSeconds));
	}

	private boolean isInDoubt(long now) {
		this.doubted &= now - this.doubtedUntil <= 0;
		return this.doubted;
	}

	/**
	 * Returns the lock as it was last seen, or {@code null}. Any thread may call this.
	 */
	@Nullable ObservedLock latest() {
		return this.latest;
	}

	/**
	 * Whether another replica may still lead, according to what this replica has seen.
	 * @param own the last term of this replica, which never counts as another's;
	 * {@code null} if there is none
	 * @param now nanoseconds of the local clock
	 */
	boolean isHeldByAnother(@Nullable LeaderElectionRecord own, long now) {
		ObservedLock last = this.latest;
		return isInDoubt(now) || (last != null && last.isHeld(now, this.defaultSeconds)
				&& (own == null || !last.record().isSameTermAs(own)));
	}

	/**
	 * Returns the holder of the lock as it was last seen.
	 * @param now nanoseconds of the local clock
	 * @return the identity of the holder, empty if there is none or the lease has expired
	 */
	String holder(long now) {
		ObservedLock last = this.latest;
		return (last != null && last.isHeld(now, this.defaultSeconds)) ? last.record().holderIdentity() : "";
	}

	/**
	 * Returns an epoch that is larger than the epoch of any term that this replica has
	 * seen, or may have missed before the lock was in doubt.
	 * @throws IllegalStateException when there is no larger epoch, because the lock was
	 * edited
	 */
	int nextEpoch() {
		if (this.highestEpoch == Integer.MAX_VALUE) {
			throw new IllegalStateException("its 'leaseTransitions' was " + this.highestEpoch
					+ ", and the number of a new term must be larger. Set 'leaseTransitions' to the number of the last "
					+ "term that really began, and then restart all replicas");
		}
		return Math.max(this.highestEpoch + 1, this.leastEpoch);
	}

}
