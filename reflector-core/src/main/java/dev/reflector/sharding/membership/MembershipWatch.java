package dev.reflector.sharding.membership;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;

import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.Slots;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of what a wrong configuration does to a group: slots without an owner, slots that
 * another replica keeps, and replicas with another number of slots.
 */
final class MembershipWatch {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.sharding.membership.ShardMembership");

	private final MemberStore store;

	private final Slots slots;

	private final Duration bound;

	private final SlotWatch unowned;

	private final SlotWatch kept;

	private List<String> strangers = List.of();

	MembershipWatch(MemberStore store, Slots slots, Duration bound) {
		this.store = store;
		this.slots = slots;
		this.bound = bound;
		this.unowned = new SlotWatch(slots, bound.toNanos());
		this.kept = new SlotWatch(slots, bound.toNanos());
	}

	/**
	 * Takes over what a list has shown.
	 * @param own the slots of this replica
	 * @param others those of the others
	 * @param desired those that this replica should have
	 * @param strangers replicas with another number of slots
	 * @param now the time
	 * @return the slots without an owner, {@code null} when they are those of before
	 */
	@Nullable BitSet check(BitSet own, SlotHolders others, DesiredSlots desired, List<String> strangers, long now) {
		if (!strangers.equals(this.strangers)) {
			this.strangers = strangers;
			if (!strangers.isEmpty()) {
				logger.warn(
						"{} divides {} into {} slots, but others into other numbers: {}. No slot is taken while "
								+ "one of them has some",
						this.store.identity(), this.store.describe(), this.slots.count(), strangers);
			}
		}
		BitSet elsewhere = new BitSet(this.slots.count());
		desired.toSet().forEach(elsewhere::set);
		elsewhere.and(others.owned());
		BitSet kept = this.kept.check(elsewhere, now);
		if (kept != null && !kept.isEmpty()) {
			logger.warn(
					"For more than {} ms, other replicas of {} have kept slots that {} should own: {}. "
							+ "Is there another replica with the same index?",
					this.bound.toMillis(), this.store.describe(), this.store.identity(), kept);
		}
		return checkUnowned(own, others, now);
	}

	private @Nullable BitSet checkUnowned(BitSet own, SlotHolders others, long now) {
		BitSet lacking = new BitSet(this.slots.count());
		lacking.set(0, this.slots.count());
		lacking.andNot(own);
		lacking.andNot(others.owned());
		BitSet unowned = this.unowned.check(lacking, now);
		if (unowned != null && !unowned.isEmpty()) {
			logger.warn(
					"For more than {} ms, slots of {} have had no owner: {}. Is a replica missing, or configured "
							+ "with another index or number of replicas?",
					this.bound.toMillis(), this.store.describe(), unowned);
		}
		else if (unowned != null) {
			logger.info("All slots of {} have an owner again", this.store.describe());
		}
		return unowned;
	}

}
