package dev.reflector.sharding.membership;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.reflector.sharding.Slots;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The Lease of this replica: the version that the next write replaces, and the time until
 * which the Lease is valid. Guarded by the lock of the membership.
 */
final class OwnLease {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.sharding.membership.ShardMembership");

	private final MemberStore store;

	private String incarnation = "";

	private long sequence;

	/**
	 * The sequence of the last write that is known to have succeeded, 0 if there is none.
	 */
	private long confirmed;

	private boolean known;

	private @Nullable MemberLease last;

	/** Whether the last write said that this replica has left. */
	private boolean left;

	/** The version of the first write of this run, 0 before that write. */
	private long joined;

	private boolean taken;

	private boolean warned;

	private boolean valid;

	private long until;

	/** Whether writes are paused after slots were lost. */
	private boolean silent;

	private long silentUntil;

	OwnLease(MemberStore store) {
		this.store = store;
	}

	void begin(String incarnation) {
		this.incarnation = incarnation;
		this.sequence = 0;
		this.confirmed = 0;
		this.known = false;
		this.last = null;
		this.left = false;
		this.joined = 0;
		this.taken = false;
		this.warned = false;
		this.valid = false;
		this.silent = false;
	}

	String incarnation() {
		return this.incarnation;
	}

	/** Whether the other replicas can see a Lease of this run. */
	boolean isWritten() {
		return this.confirmed > 0;
	}

	/**
	 * Whether a list has shown which version to replace and that no other process owns
	 * the Lease.
	 */
	boolean isWritable() {
		return this.known && !this.taken;
	}

	MemberRecord next(boolean leaving, ShardMembershipConfig config, Slots slots, Map<Integer, Long> held,
			Map<Integer, Duration> undelivered, long era, MemberSettings settings, Instant now) {
		this.sequence++;
		return new MemberRecord(this.incarnation, this.sequence, leaving, (int) config.leaseDuration().toSeconds(), now,
				slots, held, undelivered, this.joined, era, settings);
	}

	/**
	 * Returns the request that replaces the version that was seen last, or creates the
	 * Lease.
	 */
	Supplier<Mono<MemberLease>> write(MemberRecord record) {
		MemberLease last = this.last;
		return () -> (last != null) ? last.update(record) : this.store.create(record);
	}

	/** Returns the Lease as it was last seen, or {@code null} if there was none. */
	@Nullable MemberLease last() {
		return this.last;
	}

	/** Notes a successful write. */
	void written(MemberLease lease, long version) {
		this.last = lease;
		this.joined = (this.joined != 0) ? this.joined : version;
		this.confirmed = lease.record().sequence();
		this.left = lease.record().hasLeft();
	}

	/**
	 * Returns the era in the Lease, as the other replicas can see it, or 0 before the
	 * Lease is written.
	 */
	long era() {
		return (this.confirmed > 0 && this.last != null) ? this.last.record().era() : 0;
	}

	/**
	 * Returns the version of the first write of this run, by which replicas are ordered,
	 * or {@link Long#MAX_VALUE} before that write.
	 */
	long joined() {
		return (this.joined != 0) ? this.joined : Long.MAX_VALUE;
	}

	/** Whether the other replicas can see that this replica has left. */
	boolean hasLeft() {
		return this.left;
	}

	/** Sets the time until which the Lease is valid. */
	void renew(long until) {
		this.valid = true;
		this.until = until;
	}

	boolean isValid(long now) {
		return this.valid && now - this.until < 0;
	}

	/**
	 * Whether the time until which the Lease is valid has passed, and {@link #lapse} must
	 * still be called.
	 */
	boolean hasLapsed(long now) {
		return this.valid && now - this.until >= 0;
	}

	long until() {
		return this.until;
	}

	void lapse() {
		this.valid = false;
	}

	/**
	 * Pauses writes after slots were lost. Deliveries of these slots may be in progress,
	 * and a write without the slots would let other replicas begin at once.
	 * @param now the current time, which may be long after the Lease has lapsed
	 * @param silence how long writes are paused
	 */
	void keepSilent(long now, Duration silence) {
		this.silent = true;
		this.silentUntil = ((now - this.until < 0) ? now : this.until) + silence.toNanos();
	}

	boolean isSilent(long now) {
		return this.silent && now - this.silentUntil < 0;
	}

	/**
	 * Looks for the Lease in a list that was requested after the response to the last
	 * write.
	 * @param leases all Leases
	 * @param others what this replica has seen of the Leases of the other replicas
	 * @return why this replica has lost its Lease, or {@code null} if it has not
	 */
	@Nullable String find(List<MemberLease> leases, Observations others) {
		MemberLease found = null;
		for (MemberLease lease : leases) {
			if (lease.identity().equals(this.store.identity())) {
				found = lease;
			}
		}
		boolean mine = found != null && isOfThisRun(found);
		String lost = lost(found, mine);
		this.known = true;
		this.taken = found != null && !mine && !others.isFree(found);
		this.confirmed = (found != null && mine) ? found.record().sequence() : 0;
		if (found != null && this.taken && !this.warned && this.last != null
				&& found.record().follows(this.last.record())) {
			this.warned = true;
			logger.warn("Another process renews the Lease of '{}' in {}, so this one waits. Give each replica "
					+ "its own identity", this.store.identity(), this.store.describe());
		}
		this.last = found;
		return lost;
	}

	private boolean isOfThisRun(MemberLease lease) {
		return lease.record().incarnation().equals(this.incarnation);
	}

	private @Nullable String lost(@Nullable MemberLease found, boolean mine) {
		if (this.confirmed == 0) {
			return null;
		}
		if (found == null) {
			return "its lease was deleted";
		}
		if (!mine) {
			return "its lease is of another run: another process has the same identity, or the server was restored";
		}
		return (found.record().sequence() < this.confirmed) ? "its lease went back to an earlier state" : null;
	}

}
