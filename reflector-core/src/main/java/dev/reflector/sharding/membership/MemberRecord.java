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
 * @param incarnation name of this run of the process, which differs after each start, so
 * that a Lease of an earlier process with the same identity is recognized
 * @param sequence number of this write, larger than those of all earlier writes of this
 * run
 * @param leaving whether the replica is leaving, so that it takes no more slots. When it
 * has no slots any more, it has left, and the remaining replicas delete its Lease
 * @param leaseDurationSeconds how long other replicas wait after they have seen this
 * write
 * @param renewTime when this was written, by the clock of the replica; for display only
 * @param slots the number of slots into which the replica divides all hashes
 * @param held the slots that no other replica may own, with the epoch of each; 0 for a
 * slot that is only claimed
 * @param undelivered the slots that the replica owns and does not deliver, and for how
 * long: a listener has not returned, or the mirror does not have their objects yet
 * @param joined the version of the first Lease of this run, which orders replicas by when
 * they have joined; 0 in that Lease itself
 * @param era by how much the replica raises its epochs, because the versions of the
 * server have decreased, so that epochs would decrease as well; 0 where that has never
 * happened. A replica gives out no epoch of an era before its Lease has the era
 * @param settings how the replica is configured
 * @since 0.1.0
 */
public record MemberRecord(String incarnation, long sequence, boolean leaving, int leaseDurationSeconds,
		@Nullable Instant renewTime, Slots slots, Map<Integer, Long> held, Map<Integer, Duration> undelivered,
		long joined, long era, MemberSettings settings) {

	/**
	 * Copies the slots.
	 * @throws IllegalArgumentException when there is no such slot or era
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

	/**
	 * Whether this was written by the same run, after another record.
	 */
	boolean follows(MemberRecord other) {
		return this.incarnation.equals(other.incarnation) && this.sequence > other.sequence;
	}

}
