package dev.reflector.sharding.membership;

import java.time.Duration;
import java.util.BitSet;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import dev.reflector.cache.internal.call.OncePerMinute;
import dev.reflector.sharding.Slots;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds slots that no replica delivers: slots without an owner, slots that are being
 * handed over, and slots whose owner says that it does not deliver them. If no list of
 * the Leases has been received for a lease duration, the slots of all other replicas
 * count as undelivered, too. Guarded by the lock of the membership, which checks on a
 * timer even if no lists arrive. Any thread may read the results.
 */
final class DeliveryWatch {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.sharding.membership.ShardMembership");

	private final String group;

	private final Slots slots;

	private final ShardMembershipConfig config;

	private final SlotTimes times;

	/** When the last received list was requested. */
	private long listedAt;

	private OncePerMinute warnings = new OncePerMinute();

	private volatile Set<Integer> unowned = Set.of();

	private volatile Set<Integer> undelivered = Set.of();

	DeliveryWatch(String group, Slots slots, ShardMembershipConfig config) {
		this.group = group;
		this.slots = slots;
		this.config = config;
		this.times = new SlotTimes(slots);
	}

	void begin(long now) {
		this.times.reset();
		this.listedAt = now;
		this.warnings = new OncePerMinute();
	}

	void end() {
		this.unowned = Set.of();
		this.undelivered = Set.of();
	}

	void listed(long sentAt) {
		this.listedAt = sentAt;
	}

	/**
	 * Whether the state of the other replicas is unknown, because no list has been
	 * received for longer than {@code patience}.
	 */
	boolean isBlind(long now, Duration patience) {
		return now - this.listedAt > patience.toNanos();
	}

	/**
	 * Notes that a replica has died. Its slots have not been delivered since its last
	 * write, which may have happened up to a retry period before this replica saw it.
	 * @param seen the last Lease of the dead replica
	 * @param others the slots of the other replicas
	 */
	void died(Observation seen, SlotHolders others) {
		long since = seen.seenAt() - this.config.retryPeriod().toNanos();
		if (seen.record().slots().equals(this.slots)) {
			seen.record().held().forEach((slot, epoch) -> {
				if (epoch > 0 && !others.delivery(slot).owned()) {
					this.times.lacks(slot, since);
				}
			});
		}
	}

	/**
	 * Checks which slots no replica delivers.
	 * @param own the slots of this replica
	 * @param stalled the slots that this replica owns but does not deliver, and for how
	 * long
	 * @param others the slots of the other replicas, as of the last list
	 * @return the slots that no replica has delivered for too long, or {@code null} if
	 * they are the same as at the last check
	 */
	@Nullable Set<Integer> check(OwnSlots own, Map<Integer, Duration> stalled, SlotHolders others, long now) {
		boolean blind = isBlind(now, this.config.leaseDuration());
		for (int slot = 0; slot < this.slots.count(); slot++) {
			SlotHolders.Delivery elsewhere = others.delivery(slot);
			if (own.isAcquired(slot)) {
				delivered(slot, stalled.get(slot), now);
			}
			else if (own.isInTransit(slot) || !elsewhere.owned()) {
				this.times.lacks(slot, now);
			}
			else if (blind) {
				this.times.lacks(slot, this.listedAt);
			}
			else if (elsewhere.isDelivered()) {
				this.times.clear(slot);
			}
			else {
				this.times.set(slot, elsewhere.since());
			}
		}
		this.undelivered = numbers(this.times.lacking());
		return report(now);
	}

	private void delivered(int slot, @Nullable Duration stalled, long now) {
		if (stalled == null) {
			this.times.clear(slot);
		}
		else {
			this.times.set(slot, now - stalled.toNanos());
		}
	}

	private @Nullable Set<Integer> report(long now) {
		long longest = TimeUnit.NANOSECONDS.convert(this.config.unownedAfter());
		Set<Integer> next = numbers(this.times.lacking(now, longest));
		Set<Integer> before = this.unowned;
		this.unowned = next;
		if (!next.isEmpty() && this.warnings.isDue(now)) {
			logger.warn("No replica of {} has delivered the changes of these slots for more than {} ms: {}. "
					+ "Possible causes: a replica is missing or has a wrong index or count, Leases cannot be read, "
					+ "or a listener is blocked", this.group, this.config.unownedAfter().toMillis(), next);
		}
		else if (next.isEmpty() && !before.isEmpty()) {
			logger.info("The changes of all slots of {} are delivered again", this.group);
		}
		return next.equals(before) ? null : next;
	}

	private static Set<Integer> numbers(BitSet slots) {
		return Collections.unmodifiableSet(new TreeSet<>(slots.stream().boxed().toList()));
	}

	/**
	 * Returns the slots that are in this replica's Lease but that this replica does not
	 * deliver, and for how long. The next write marks them as undelivered in the Lease.
	 */
	Map<Integer, Duration> marks(Map<Integer, Long> held, long now) {
		Map<Integer, Duration> marks = new TreeMap<>();
		BitSet lacking = this.times.lacking();
		held.forEach((slot, epoch) -> {
			if (epoch > 0 && lacking.get(slot)) {
				marks.put(slot, Duration.ofMillis(Math.max(0, (now - this.times.since(slot, now)) / 1_000_000)));
			}
		});
		return marks;
	}

	/** Returns the slots that no replica has delivered for too long. */
	Set<Integer> unowned() {
		return this.unowned;
	}

	/** Returns the slots that no replica delivers now. */
	Set<Integer> undelivered() {
		return this.undelivered;
	}

}
