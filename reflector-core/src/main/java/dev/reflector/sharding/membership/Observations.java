package dev.reflector.sharding.membership;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.reflector.sharding.Slots;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the Leases of other replicas that this replica has seen. A slot in a Lease
 * becomes free when a later write of the same run no longer contains the slot, or when
 * the lease duration has passed. Until then, a Lease still counts even if it was deleted
 * or went back to an earlier state, because its owner may not have noticed.
 */
final class Observations {

	/** The largest number of Leases that are deleted after one list. */
	private static final int DELETED_AT_ONCE = 10;

	private final String identity;

	private Map<String, Observation> current = new HashMap<>();

	/**
	 * Leases that were deleted, or replaced by something other than a later write of the
	 * same run, and that still count until they expire.
	 */
	private final List<Observation> ghosts = new ArrayList<>();

	private final List<Observation> died = new ArrayList<>();

	private Set<String> live = Set.of();

	Observations(String identity) {
		this.identity = identity;
	}

	/**
	 * Processes a list of all Leases.
	 * @param leases all Leases
	 * @param incarnation name of this run, whose own Lease is ignored
	 * @param slots the number of slots into which this replica divides the hashes
	 * @param settings how this replica is configured
	 * @param sentAt when the list was requested
	 * @param now when the list was received
	 */
	void observe(List<MemberLease> leases, String incarnation, Slots slots, MemberSettings settings, long sentAt,
			long now) {
		Map<String, Observation> next = new HashMap<>();
		Set<String> live = new HashSet<>();
		this.died.clear();
		for (MemberLease lease : leases) {
			if (lease.identity().equals(this.identity) && lease.record().incarnation().equals(incarnation)) {
				continue;
			}
			Observation seen = this.current.remove(lease.identity());
			if (seen != null && seen.isOf(lease)) {
				unchanged(seen, sentAt);
			}
			else {
				replaced(seen, lease.record());
				this.ghosts.removeIf((ghost) -> ghost.lease().identity().equals(lease.identity())
						&& lease.record().follows(ghost.record()));
				seen = new Observation(lease, now);
			}
			next.put(lease.identity(), seen);
			if (seen.isLive() && lease.record().slots().equals(slots)
					&& !settings.conflictsWith(lease.record().settings())) {
				live.add(lease.identity());
			}
		}
		this.current.values().forEach((vanished) -> replaced(vanished, null));
		this.current = next;
		this.ghosts.forEach((ghost) -> unchanged(ghost, sentAt));
		this.ghosts.removeIf(Observation::isExpired);
		live.add(this.identity);
		this.live = live;
	}

	private void unchanged(Observation seen, long sentAt) {
		boolean held = seen.holds();
		seen.unchanged(sentAt);
		if (held && seen.isExpired()) {
			this.died.add(seen);
		}
	}

	private void replaced(@Nullable Observation before, @Nullable MemberRecord after) {
		if (before != null && before.holds() && (after == null || !after.follows(before.record()))) {
			this.ghosts.add(before);
		}
	}

	/**
	 * Returns the identities of this replica and of the live replicas that can share
	 * slots with it, because they use the same number of slots and no conflicting
	 * settings.
	 */
	Set<String> live() {
		return this.live;
	}

	/**
	 * Whether the replica that wrote a Lease has left or expired, so that the Lease may
	 * be replaced.
	 */
	boolean isFree(MemberLease lease) {
		Observation seen = this.current.get(lease.identity());
		return seen != null && seen.isGone();
	}

	/**
	 * Returns the largest era in any known Lease, including the Leases of replicas that
	 * have left or expired.
	 */
	long era() {
		return Stream.concat(this.ghosts.stream(), this.current.values().stream())
			.mapToLong((seen) -> seen.record().era())
			.max()
			.orElse(0);
	}

	boolean hasOthers() {
		return !this.current.values().stream().allMatch(Observation::isGone);
	}

	/** Returns all unexpired Leases that contain slots. */
	List<Observation> holding() {
		List<Observation> holding = new ArrayList<>(this.ghosts);
		for (Observation seen : this.current.values()) {
			if (seen.holds()) {
				holding.add(seen);
			}
		}
		return holding;
	}

	/**
	 * Returns the Leases that contain slots and that expired when the last list was
	 * processed.
	 */
	List<Observation> died() {
		return this.died;
	}

	/**
	 * Returns a replica with conflicting settings that has priority over this replica.
	 * While there is one, this replica takes no slots. Replicas that already own slots
	 * have priority. If no replica owns slots, those that joined first have priority.
	 * @param settings how this replica is configured
	 * @param owns whether this replica owns slots
	 * @param joined when this replica joined, see {@link OwnLease#joined}
	 * @return the other replica and the difference between the settings; empty if there
	 * is no such replica
	 */
	String conflict(MemberSettings settings, boolean owns, long joined) {
		boolean inPossession = owns || this.current.values()
			.stream()
			.anyMatch((seen) -> seen.owns() && !settings.conflictsWith(seen.record().settings()));
		if (inPossession) {
			return "";
		}
		List<Observation> others = this.current.values()
			.stream()
			.filter((seen) -> seen.isLive() && settings.conflictsWith(seen.record().settings()))
			.toList();
		boolean owned = others.stream().anyMatch(Observation::owns);
		return others.stream()
			.filter((seen) -> owned ? seen.owns() : seen.hasJoinedBefore(joined))
			.map((seen) -> seen.lease().identity() + " " + settings.conflict(seen.record().settings()))
			.min(Comparator.naturalOrder())
			.orElse("");
	}

	/**
	 * Returns the replicas that seem to belong to another application, each with the
	 * difference between its settings and those of this replica.
	 */
	List<String> foreign(MemberSettings settings) {
		List<String> foreign = new ArrayList<>();
		for (Observation seen : this.current.values()) {
			String difference = settings.purpose().difference(seen.record().settings().purpose());
			if (!seen.isGone() && !difference.isEmpty()) {
				foreign.add(seen.lease().identity() + " " + difference);
			}
		}
		Collections.sort(foreign);
		return foreign;
	}

	/** Returns the replicas that divide the hashes into another number of slots. */
	List<String> strangers(Slots slots) {
		List<String> strangers = new ArrayList<>();
		for (Observation seen : this.current.values()) {
			if (!seen.isGone() && !seen.record().slots().equals(slots)) {
				strangers.add(seen.lease().identity() + " with " + seen.record().slots().count());
			}
		}
		Collections.sort(strangers);
		return strangers;
	}

	/**
	 * Returns the Leases that this replica must delete. Only the live replica with the
	 * smallest identity deletes Leases.
	 * <p>
	 * The Lease of a replica that has left is kept for one lease duration. By then, every
	 * other replica has either seen that the Lease has no slots, or has itself expired.
	 * <p>
	 * An expired Lease is deleted at once, because its replica no longer owns anything.
	 * Otherwise a replica that joins later would count the dead replica as live for one
	 * lease duration and leave slots to it, while the others leave these slots to the new
	 * replica. If another replica does not yet count the Lease as expired, it still
	 * counts the slots of the Lease after the deletion.
	 */
	List<MemberLease> garbage(long sentAt) {
		if (this.live.stream().anyMatch((other) -> other.compareTo(this.identity) < 0)) {
			return List.of();
		}
		return leases(this.current.values()
			.stream()
			.filter((seen) -> seen.record().hasLeft() ? seen.isOlderThan(1, sentAt) : seen.isExpired())
			.limit(DELETED_AT_ONCE)
			.toList());
	}

	/**
	 * Returns the Leases of replicas that have left or expired. The last replica that
	 * leaves deletes them.
	 */
	List<MemberLease> rest() {
		return leases(this.current.values().stream().filter(Observation::isGone).toList());
	}

	private static List<MemberLease> leases(Collection<Observation> observations) {
		return observations.stream().map(Observation::lease).toList();
	}

}
