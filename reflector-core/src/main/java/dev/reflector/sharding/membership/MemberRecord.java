package dev.reflector.sharding.membership;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

import dev.reflector.sharding.Slots;
import org.jspecify.annotations.Nullable;

/**
 * The content of the Lease of a replica.
 *
 * @param incarnation name of this run of the process. It is different after each start,
 * so a Lease of an earlier process with the same identity is recognized
 * @param sequence number of this write, larger than those of all earlier writes of this
 * run
 * @param leaving whether the replica is leaving and takes no more slots. Once it has no
 * slots left, it has left the group, and the remaining replicas delete its Lease
 * @param leaseDurationSeconds how long after seeing this write other replicas wait before
 * they take over
 * @param renewTime when the replica wrote this record, by its own clock; for display only
 * @param slots the number of slots into which the replica divides all hashes
 * @param held the slots that no other replica may own, with the epoch of each; 0 for a
 * slot that is only claimed
 * @param undelivered the slots that the replica owns but does not deliver, and for how
 * long. The reason is a listener that has not returned, or objects that the mirror does
 * not have yet
 * @param joined the version of the first Lease of this run. It orders the replicas by the
 * time at which they joined. 0 in the first Lease itself
 * @param era number that the replica adds to its epochs, so that epochs do not decrease
 * when the versions of the server have decreased; 0 if they never have. A replica uses no
 * epoch of an era before its Lease contains the era
 * @param settings how the replica is configured
 * @since 0.1.0
 */
public record MemberRecord(String incarnation, long sequence, boolean leaving, int leaseDurationSeconds,
		@Nullable Instant renewTime, Slots slots, Map<Integer, Long> held, Map<Integer, Duration> undelivered,
		long joined, long era, MemberSettings settings) {

	/**
	 * Copies the slots.
	 * @throws IllegalArgumentException when a slot or the era is out of range
	 */
	public MemberRecord {
		if (era < 0 || era > Long.MAX_VALUE / 2) {
			throw new IllegalArgumentException("there is no era " + era);
		}
		held = Collections.unmodifiableMap(new TreeMap<>(held));
		held.keySet().forEach(slots::require);
		undelivered = Collections.unmodifiableMap(new TreeMap<>(undelivered));
		undelivered.keySet().forEach(slots::require);
	}

	boolean hasLeft() {
		return this.leaving && this.held.isEmpty();
	}

	/** Whether one run has written both records, {@code other} before this one. */
	boolean follows(MemberRecord other) {
		return this.incarnation.equals(other.incarnation) && this.sequence > other.sequence;
	}

}
