package dev.reflector.sharding.membership;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.sharding.RendezvousAssignment;
import dev.reflector.sharding.ShardAssignment;
import dev.reflector.sharding.Slots;
import dev.reflector.sharding.StaticAssignment;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * A server, a network and replicas in virtual time. Replicas run the membership and the
 * assignment of the library. All of them have clocks that run at their own rate; they
 * pause, crash, leave and join; requests and answers are late or lost, Leases are deleted
 * by hand, and the server goes back to an earlier state.
 * <p>
 * What is checked, whenever a replica does something: that none of its slots is owned by
 * another one at this moment, that epochs grow, and that no slot is acquired while
 * deliveries of it are still running elsewhere.
 */
final class MembershipModel {

	static final long SECOND = 1_000_000_000L;

	/** The time between two checks of the owners. */
	private static final Duration LOOK = Duration.ofMillis(250);

	private final Random random;

	private final ShardMembershipConfig config;

	private final Slots slots;

	private final double maxRate;

	private final PriorityQueue<Event> events = new PriorityQueue<>();

	private final List<Replica> replicas = new ArrayList<>();

	/**
	 * By slot, the replicas whose listeners were notified of its start, but not yet of
	 * its end.
	 */
	private final List<List<Replica>> holders = new ArrayList<>();

	private final long[] lastEpochs;

	private final long[] unownedSince;

	private Map<String, StoredLease> stored = new TreeMap<>();

	private @Nullable Replica running;

	private long now;

	private long order;

	private long version;

	private boolean oneIndex;

	private @Nullable ShardAssignment shared;

	private boolean troubled;

	private long disturbedAt;

	private int acquired;

	/** Writes that were refused because the Lease was not what the replica believed. */
	private int refused;

	/** Slots that were lost instead of handed over. */
	private int lapsed;

	private int requests;

	private long longestGap;

	/** The last time when a slot had no owner. */
	private long lastUnowned;

	private long figuresAt;

	/** How often slots were reported as undelivered for too long. */
	private int reported;

	private int named;

	/** Callbacks must not throw. */
	private @Nullable String violation;

	MembershipModel(long seed, ShardMembershipConfig config, Slots slots, double maxRate) {
		this.random = new Random(seed);
		this.config = config;
		this.slots = slots;
		this.maxRate = maxRate;
		this.lastEpochs = new long[slots.count()];
		this.unownedSince = new long[slots.count()];
		for (int slot = 0; slot < slots.count(); slot++) {
			this.holders.add(new ArrayList<>());
		}
	}

	/** All replicas are configured with the same index, by mistake. */
	void oneIndex() {
		this.oneIndex = true;
	}

	/**
	 * All replicas ask one assignment. What it answers does not depend on who asks, and
	 * it begins with its last answer: with very many replicas that is much less to
	 * compute.
	 */
	void oneAssignment() {
		this.shared = new RendezvousAssignment(this.slots);
	}

	Replica join() {
		return join("replica-" + this.named++);
	}

	Replica join(String identity) {
		Replica replica = new Replica(identity, assignment());
		this.replicas.add(replica);
		as(replica, replica.membership::start);
		return replica;
	}

	private ShardAssignment assignment() {
		if (this.oneIndex) {
			// each wants all slots
			return new StaticAssignment(0, 1, this.slots);
		}
		return (this.shared != null) ? this.shared : new RendezvousAssignment(this.slots);
	}

	/** Trouble of all kinds, also of the network. */
	void trouble(Duration duration) {
		this.troubled = true;
		for (long at = 0; at < duration.toNanos(); at += (long) (this.random.nextDouble() * 6 * SECOND)) {
			at(this.now + at, null, () -> incident(any(), this.random.nextInt(8)));
		}
		long end = this.now + duration.toNanos();
		while (this.now < end) {
			run(LOOK);
			look();
		}
		this.troubled = false;
	}

	/**
	 * No trouble from now on, with all replicas running.
	 * @param rest how long late requests and slow deliveries of before can still disturb
	 */
	void recover(Duration rest) {
		for (Replica replica : this.replicas) {
			replica.pausedUntil = Math.min(replica.pausedUntil, this.now);
			replica.lonelyUntil = Math.min(replica.lonelyUntil, this.now);
			at(this.now, replica, replica::startAgain);
		}
		this.disturbedAt = this.now + rest.toNanos();
	}

	/** Plays incidents, with a pause after each one. */
	void incidents(int count, Duration between) {
		for (int i = 0; i < count; i++) {
			incident(any(), this.random.nextInt(8));
			runOwned(between);
			recover(Duration.ZERO);
			runOwned(between);
		}
	}

	/** Changes Leases in ways that no replica expects, while no replica joins. */
	void handsOnLeases(int count, Duration between) {
		for (int i = 0; i < count; i++) {
			Map<String, StoredLease> before = new TreeMap<>(this.stored);
			long versionBefore = this.version;
			run(Duration.ofMillis(this.random.nextInt((int) between.toMillis())));
			switch (this.random.nextInt(3)) {
				case 0 -> this.stored.remove(any().identity);
				case 1 -> this.stored.computeIfPresent(any().identity,
						(name, lease) -> new StoredLease(name, lease.record, ++this.version));
				default -> {
					// from a backup, with the versions
					this.stored = new TreeMap<>(before);
					this.version = versionBefore;
				}
			}
			this.disturbedAt = this.now;
			runOwned(between);
		}
	}

	private Replica any() {
		return this.replicas.get(this.random.nextInt(this.replicas.size()));
	}

	void incident(Replica replica, int kind) {
		switch (kind) {
			case 0, 1 -> replica.pause((long) (this.random.nextDouble() * 2 * this.config.leaseDuration().toNanos()));
			case 2 -> {
				kill(replica);
				join(this.random.nextBoolean() ? replica.identity : "replica-" + this.named++);
			}
			case 3, 4 -> at(this.now, replica, replica::leave);
			case 5 -> at(this.now, replica, replica::startAgain);
			case 6 -> at(this.now, replica, replica::abort);
			default -> replica.lonelyUntil = this.now
					+ (long) (this.random.nextDouble() * 2 * this.config.leaseDuration().toNanos());
		}
		this.disturbedAt = Math.max(this.now, Math.max(replica.pausedUntil, replica.lonelyUntil));
	}

	void kill(Replica replica) {
		replica.dead = true;
		this.replicas.remove(replica);
		this.holders.forEach((holders) -> holders.remove(replica));
		this.disturbedAt = this.now;
	}

	void stop(Replica replica) {
		this.replicas.remove(replica);
		as(replica, replica::leave);
		this.disturbedAt = this.now;
	}

	/** Moves time on, and checks each quarter of a second that slots have owners. */
	void runOwned(Duration duration) {
		long end = this.now + duration.toNanos();
		while (this.now < end) {
			run(LOOK);
			look();
			for (int slot = 0; slot < this.slots.count(); slot++) {
				long since = Math.max(this.unownedSince[slot], this.disturbedAt);
				if (this.now - since > bound() && this.now > this.unownedSince[slot]) {
					throw new AssertionError("slot " + slot + " has had no owner for " + (this.now - since) / 1e9
							+ " s, at " + this.now / 1e9);
				}
			}
		}
	}

	private void look() {
		for (int slot = 0; slot < this.slots.count(); slot++) {
			if (owner(slot) != null) {
				this.unownedSince[slot] = this.now;
			}
			else {
				this.lastUnowned = this.now;
				this.longestGap = Math.max(this.longestGap, this.now - this.unownedSince[slot]);
			}
		}
	}

	/** Returns the figures since the last call, with times to a quarter of a second. */
	String figures() {
		String figures = String.format("settled after %.1f s, longest time without an owner %.1f s, %.0f requests/s",
				Math.max(0, this.lastUnowned - this.figuresAt) / 1e9, this.longestGap / 1e9,
				this.requests * 1e9 / (this.now - this.figuresAt));
		this.figuresAt = this.now;
		this.longestGap = 0;
		this.requests = 0;
		return figures;
	}

	/**
	 * A lease duration after the last renewal that was seen, up to a retry period later
	 * than it was written; up to one until the next list, one for a slot that was just
	 * handed to the replica that was killed; a second for deliveries that end, and two
	 * for requests.
	 */
	private long bound() {
		return (long) ((this.config.leaseDuration().toNanos() + 4 * 1.2 * this.config.retryPeriod().toNanos())
				* this.maxRate) + 3 * SECOND;
	}

	@Nullable Replica owner(int slot) {
		for (Replica replica : this.holders.get(slot)) {
			if (!replica.isPaused() && replica.membership.isOwner(slot)) {
				return replica;
			}
		}
		return null;
	}

	int acquired() {
		return this.acquired;
	}

	int refused() {
		return this.refused;
	}

	int reported() {
		return this.reported;
	}

	int lapsed() {
		return this.lapsed;
	}

	int leases() {
		return this.stored.size();
	}

	void run(Duration duration) {
		long end = this.now + duration.toNanos();
		while (!this.events.isEmpty() && this.events.peek().at() <= end) {
			Event event = this.events.remove();
			this.now = event.at();
			Replica replica = event.replica();
			if (replica == null) {
				event.action().run();
			}
			else if (replica.isRunning(event)) {
				check(replica);
				as(replica, event.action());
				check(replica);
			}
		}
		this.now = end;
	}

	private void as(Replica replica, Runnable action) {
		Replica before = this.running;
		this.running = replica;
		action.run();
		this.running = before;
		if (this.violation != null) {
			throw new AssertionError(this.violation);
		}
	}

	/** Whether another one owns at this moment what this one owns. */
	private void check(Replica replica) {
		if (!replica.membership.isMember()) {
			return;
		}
		for (int slot : replica.told) {
			List<Replica> holders = this.holders.get(slot);
			if (holders.size() > 1 && replica.membership.isOwner(slot)) {
				holders.forEach((other) -> checkOwner(slot, replica, other));
			}
		}
	}

	private void checkOwner(int slot, Replica replica, Replica other) {
		if (other != replica && !other.isPaused() && other.membership.isOwner(slot)) {
			throw new AssertionError(
					"two owners of slot " + slot + ": " + replica + " and " + other + " at " + this.now / 1e9);
		}
	}

	private void at(long at, @Nullable Replica replica, Runnable action) {
		this.events.add(new Event(at, this.order++, replica, action));
	}

	/** Mostly short, in trouble sometimes longer than a lease. */
	private long delay() {
		double longest = happens(0.05) ? 1.5 * this.config.leaseDuration().toNanos()
				: happens(0.1) ? this.config.renewDeadline().toNanos() / 3.0 : 0.05 * SECOND;
		return (long) (this.random.nextDouble() * longest);
	}

	private boolean happens(double probability) {
		return this.troubled && this.random.nextDouble() < probability;
	}

	/** Answers come to the replica that has asked, however late. */
	private <T> Mono<T> request(Supplier<@Nullable T> effect) {
		Replica replica = this.running;
		return Mono.create((sink) -> {
			if (!happens(0.05) && (replica == null || this.now >= replica.lonelyUntil)) {
				at(this.now + delay(), null, () -> process(replica, effect, sink));
			}
		});
	}

	private <T> void process(@Nullable Replica replica, Supplier<@Nullable T> effect, MonoSink<T> sink) {
		Runnable answer;
		this.requests++;
		if (happens(0.05)) {
			answer = () -> sink.error(new IllegalStateException("500"));
		}
		else {
			try {
				T result = effect.get();
				answer = () -> sink.success(result);
			}
			catch (IllegalStateException ex) {
				answer = () -> sink.error(ex);
			}
			if (happens(0.05)) {
				answer = () -> sink.error(new IllegalStateException("connection lost"));
			}
		}
		at(this.now + delay(), replica, answer);
	}

	private MemberLease store(String identity, MemberRecord record) {
		StoredLease lease = new StoredLease(identity, record, ++this.version);
		this.stored.put(identity, lease);
		return lease;
	}

	private record Event(long at, long order, @Nullable Replica replica, Runnable action) implements Comparable<Event> {

		@Override
		public int compareTo(Event other) {
			int compared = Long.compare(this.at, other.at);
			return (compared != 0) ? compared : Long.compare(this.order, other.order);
		}

	}

	private final class StoredLease implements MemberLease {

		private final String identity;

		private final MemberRecord record;

		private final String number;

		StoredLease(String identity, MemberRecord record, long number) {
			this.identity = identity;
			this.record = record;
			this.number = Long.toString(number);
		}

		@Override
		public String identity() {
			return this.identity;
		}

		@Override
		public MemberRecord record() {
			return this.record;
		}

		@Override
		public String resourceVersion() {
			return this.number;
		}

		@Override
		public Mono<MemberLease> update(MemberRecord next) {
			return request(() -> {
				MembershipModel.this.refused += isCurrent() ? 0 : 1;
				requireCurrent();
				return store(this.identity, next);
			});
		}

		@Override
		public Mono<Void> delete() {
			return request(() -> {
				requireCurrent();
				MembershipModel.this.stored.remove(this.identity);
				return null;
			});
		}

		private boolean isCurrent() {
			return MembershipModel.this.stored.get(this.identity) == this;
		}

		private void requireCurrent() {
			if (!isCurrent()) {
				throw new IllegalStateException("409");
			}
		}

	}

	/** One process. */
	final class Replica implements MemberStore, ShardCallbacks, TimeSource {

		private final String identity;

		/** Often one of the extremes. */
		private final double rate = 1 + Math.max(0, Math.min(1, MembershipModel.this.random.nextDouble() * 3 - 1))
				* (MembershipModel.this.maxRate - 1);

		private final long origin = MembershipModel.this.random.nextLong();

		private final ShardMembership membership;

		private final List<Integer> told = new ArrayList<>();

		private final List<Integer> draining = new ArrayList<>();

		private long pausedUntil;

		/** The time until which requests of this replica are lost. */
		private long lonelyUntil;

		private boolean dead;

		private @Nullable CompletableFuture<Void> leaving;

		Replica(String identity, ShardAssignment assignment) {
			this.identity = identity;
			this.membership = new ShardMembership(this, assignment, MembershipModel.this.config,
					() -> MemberSettings.UNKNOWN, new MembershipCallbacks(this, Runnable::run), this,
					MembershipModel.this.random);
		}

		ShardMembership membership() {
			return this.membership;
		}

		void pause(long nanos) {
			this.pausedUntil = Math.max(this.pausedUntil, MembershipModel.this.now + nanos);
			// its first moment after the pause, before it learns of anything
			at(this.pausedUntil, this, () -> {
			});
		}

		boolean isPaused() {
			return MembershipModel.this.now < this.pausedUntil;
		}

		/** Puts off what a paused process cannot do. */
		boolean isRunning(Event event) {
			if (isPaused() && !this.dead) {
				at(this.pausedUntil, this, event.action());
				return false;
			}
			return !this.dead;
		}

		void leave() {
			this.leaving = this.membership.stop().toCompletableFuture();
		}

		void abort() {
			this.membership.abort();
			this.leaving = CompletableFuture.completedFuture(null);
		}

		void startAgain() {
			if (this.leaving != null && this.leaving.isDone()) {
				this.leaving = null;
				this.membership.start();
			}
			else if (this.leaving != null) {
				at(MembershipModel.this.now + SECOND, this, this::startAgain);
			}
		}

		@Override
		public String identity() {
			return this.identity;
		}

		@Override
		public String describe() {
			return "model";
		}

		@Override
		public Mono<List<MemberLease>> list() {
			return request(() -> List.copyOf(MembershipModel.this.stored.values()));
		}

		@Override
		public Mono<MemberLease> create(MemberRecord record) {
			return request(() -> {
				if (MembershipModel.this.stored.containsKey(this.identity)) {
					MembershipModel.this.refused++;
					throw new IllegalStateException("409");
				}
				return store(this.identity, record);
			});
		}

		@Override
		public void onAcquired(int slot, long epoch) {
			MembershipModel model = MembershipModel.this;
			if (this.told.contains(slot) || epoch <= model.lastEpochs[slot]) {
				model.violation = "slot " + slot + ": epoch " + epoch + " after " + model.lastEpochs[slot];
			}
			for (Replica other : model.holders.get(slot)) {
				if (!other.isPaused() && other.draining.contains(slot) && other.membership.isMember()) {
					model.violation = "slot " + slot + " is acquired while " + other + " delivers it";
				}
			}
			model.lastEpochs[slot] = epoch;
			model.acquired++;
			this.told.add(slot);
			model.holders.get(slot).add(this);
		}

		@Override
		public CompletionStage<?> onRelease(int slot, long epoch) {
			if (this.membership.isOwner(slot) || !this.told.contains(slot)) {
				MembershipModel.this.violation = "asked to release slot " + slot + " which it owns";
			}
			this.draining.add(slot);
			CompletableFuture<Void> drained = new CompletableFuture<>();
			// often no call is running, so that many slots are quiet at the same time
			long takes = MembershipModel.this.random.nextBoolean() ? 0
					: (long) (MembershipModel.this.random.nextDouble() * SECOND * (happens(0.1) ? 20 : 1));
			at(MembershipModel.this.now + takes, this, () -> drained.complete(null));
			return drained;
		}

		@Override
		public void onReleased(int slot, long epoch, ReleaseReason reason) {
			if (this.membership.isOwner(slot) || !this.told.remove((Integer) slot)) {
				MembershipModel.this.violation = "told of the end of slot " + slot + " which it owns";
			}
			if (this.draining.remove((Integer) slot) != (reason == ReleaseReason.RELEASED)
					&& reason == ReleaseReason.RELEASED) {
				MembershipModel.this.violation = "released slot " + slot + " without asking";
			}
			MembershipModel.this.lapsed += (reason == ReleaseReason.LAPSED) ? 1 : 0;
			MembershipModel.this.holders.get(slot).remove(this);
		}

		@Override
		public void onUnowned(Set<Integer> slots) {
			MembershipModel.this.reported++;
		}

		@Override
		public Instant now() {
			return Instant.EPOCH.plusNanos(MembershipModel.this.now);
		}

		@Override
		public long nanoTime() {
			return this.origin + (long) (MembershipModel.this.now * this.rate);
		}

		/**
		 * Timers are late, as on a busy machine, and never early. Cancelling one that is
		 * about to run may be too late: then it has fired, and waits for a lock.
		 */
		@Override
		public Runnable schedule(Duration delay, Runnable task) {
			MembershipModel model = MembershipModel.this;
			boolean[] cancelled = new boolean[1];
			long late = happens(0.1) ? (long) (model.random.nextDouble() * 3 * SECOND) : 1000;
			long due = model.now + (long) (delay.toNanos() / this.rate) + late;
			at(due, this, () -> {
				if (!cancelled[0]) {
					task.run();
				}
			});
			return () -> cancelled[0] |= due - model.now > SECOND / 1000 || model.random.nextBoolean();
		}

		@Override
		public String toString() {
			return this.identity + (isPaused() ? " (paused)" : "");
		}

	}

}
