package dev.reflector.sharding.membership;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;

import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.Slots;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of wrong configurations in a group: replicas that keep slots which this replica
 * should own, replicas that divide the hashes into another number of slots, and replicas
 * with other settings.
 */
final class MembershipWatch {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.sharding.membership.ShardMembership");

	private final MemberStore store;

	private final Slots slots;

	private final Duration bound;

	private final SlotTimes kept;

	private BitSet told = new BitSet();

	private List<String> strangers = List.of();

	private String conflict = "";

	private List<String> foreign = List.of();

	MembershipWatch(MemberStore store, Slots slots, Duration bound) {
		this.store = store;
		this.slots = slots;
		this.bound = bound;
		this.kept = new SlotTimes(slots);
	}

	/**
	 * Warns when the settings of other replicas differ from those of this replica.
	 * @param conflict a replica whose settings keep this replica from taking slots, and
	 * the difference between the settings; empty if there is no such replica
	 * @param foreign the replicas that seem to be of another application
	 */
	void check(String conflict, List<String> foreign) {
		if (!conflict.equals(this.conflict)) {
			this.conflict = conflict;
			if (!conflict.isEmpty()) {
				logger.warn("{} takes no slots of {}, because {}. Replicas that already own slots keep them",
						this.store.identity(), this.store.describe(), conflict);
			}
		}
		if (!foreign.equals(this.foreign)) {
			this.foreign = foreign;
			if (!foreign.isEmpty()) {
				logger.warn(
						"Replicas of more than one application seem to share the slots of {}: {}. Each delivers "
								+ "only a part of the objects. Unless this is a rollout, give each application "
								+ "its own group " + "('reflector.sharding.leases.group')",
						this.store.describe(), String.join("; ", foreign));
			}
		}
	}

	/**
	 * Warns of wrong configurations that a list has shown.
	 * @param others the slots of the other replicas
	 * @param desired the slots that this replica should own
	 * @param strangers the replicas that divide the hashes into another number of slots
	 * than this replica
	 * @param now the time
	 */
	void check(SlotHolders others, DesiredSlots desired, List<String> strangers, long now) {
		if (!strangers.equals(this.strangers)) {
			this.strangers = strangers;
			if (!strangers.isEmpty()) {
				logger.warn(
						"{} divides {} into {} slots, but other replicas use another number: {}. This replica "
								+ "takes no slots while one of those owns any",
						this.store.identity(), this.store.describe(), this.slots.count(), strangers);
			}
		}
		for (int slot = 0; slot < this.slots.count(); slot++) {
			if (desired.contains(slot) && others.owned().get(slot)) {
				this.kept.lacks(slot, now);
			}
			else {
				this.kept.clear(slot);
			}
		}
		BitSet kept = this.kept.lacking(now, this.bound.toNanos());
		if (!kept.equals(this.told)) {
			this.told = kept;
			if (!kept.isEmpty()) {
				logger.warn(
						"For more than {} ms, other replicas of {} have kept slots that {} should own: {}. Does "
								+ "another replica have the same index?",
						this.bound.toMillis(), this.store.describe(), this.store.identity(), kept);
			}
		}
	}

}
