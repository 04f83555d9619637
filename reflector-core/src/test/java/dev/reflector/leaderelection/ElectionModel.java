package dev.reflector.leaderelection;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * A server, a network and replicas in virtual time. Replicas run the elector of the
 * library. Each has a clock with its own rate and its own time of day. Replicas pause,
 * crash, stop and start. Requests and answers are late or lost. The server returns to an
 * earlier stored state, or an operator removes the holder from the lock. Either happens
 * only when each running replica has seen the last renewal, and no replica starts for one
 * lease duration afterwards.
 */
final class ElectionModel {

	private static final long SECOND = 1_000_000_000L;

	private final Random random;

	private final LeaderElectionConfig config;

	private final double maxRate;

	private final PriorityQueue<Event> events = new PriorityQueue<>();

	private final List<Replica> replicas = new ArrayList<>();

	private long now;

	private long order;

	private long version;

	/** All objects share the numbers: the lock is not given one again by chance. */
	private long lastVersion;

	private @Nullable LeaderElectionRecord stored;

	/** Earlier stored states, with their versions. */
	private final List<Stored> backups = new ArrayList<>();

	/** Counts all that happens to the lock, and never goes back. */
	private long serial;

	/**
	 * How often the server has been restored; requests from before a restore do not
	 * arrive.
	 */
	private int generation;

	private long noStartBefore;

	private boolean calm;

	private long lastEpoch = -1;

	/** No term has begun since the server has gone back. */
	private boolean restoredEpoch;

	private int terms;

	/** Callbacks must not throw. */
	private @Nullable String violation;

	ElectionModel(long seed, LeaderElectionConfig config, int replicas, double maxRate, boolean sameIdentity) {
		this.random = new Random(seed);
		this.config = config;
		this.maxRate = maxRate;
		for (int i = 0; i < replicas; i++) {
			add(sameIdentity ? "same" : "replica-" + i);
		}
	}

	/** Trouble of all kinds. */
	void trouble(Duration duration) {
		for (long at = 0; at < duration.toNanos(); at += (long) (this.random.nextDouble() * 6 * SECOND)) {
			at(this.now + at, null, this::incident);
		}
		run(duration);
	}

	/** No trouble, with all replicas running. */
	void calm(Duration duration) {
		this.calm = true;
		this.replicas.forEach((replica) -> replica.pausedUntil = Math.min(replica.pausedUntil, this.now));
		whenStartsAreAllowed(() -> this.replicas.forEach(Replica::start));
		run(duration);
	}

	/** Asked before and after each event. */
	long leaders() {
		int leaders = 0;
		for (Replica replica : this.replicas) {
			leaders += replica.leads() ? 1 : 0;
		}
		return leaders;
	}

	int terms() {
		return this.terms;
	}

	private void incident() {
		if (this.replicas.isEmpty()) {
			return;
		}
		Replica replica = this.replicas.get(this.random.nextInt(this.replicas.size()));
		switch (this.random.nextInt(8)) {
			case 0, 1 -> replica.pause((long) (this.random.nextDouble() * 2 * this.config.leaseDuration().toNanos()));
			case 2 -> {
				replica.dead = true;
				this.replicas.remove(replica);
				String next = this.random.nextBoolean() ? replica.identity : replica.identity + "'";
				whenStartsAreAllowed(() -> add(next));
			}
			case 3 -> {
				if (!replica.isPaused()) {
					replica.stop();
				}
			}
			case 4 -> {
				if (!replica.isPaused() && this.now >= this.noStartBefore) {
					replica.start();
				}
			}
			case 5 -> whenAllIsSeen(100, this::goBack);
			case 6 -> whenAllIsSeen(100, this::removeHolder);
			default -> replica.wallSkew = skew();
		}
	}

	private void whenStartsAreAllowed(Runnable start) {
		if (this.now >= this.noStartBefore) {
			start.run();
		}
		else {
			at(this.noStartBefore, null, () -> whenStartsAreAllowed(start));
		}
	}

	private void whenAllIsSeen(int tries, Runnable interference) {
		if (this.replicas.stream().allMatch((replica) -> !replica.running || replica.seen >= this.serial)) {
			this.noStartBefore = this.now + this.config.leaseDuration().toNanos();
			interference.run();
		}
		else if (tries > 0) {
			at(this.now + SECOND / 20, null, () -> whenAllIsSeen(tries - 1, interference));
		}
	}

	private void goBack() {
		if (!this.backups.isEmpty()) {
			int index = this.random.nextInt(this.backups.size());
			this.stored = this.backups.get(index).record();
			this.version = this.backups.get(index).version();
			this.backups.subList(index, this.backups.size()).clear();
			this.serial++;
			this.generation++;
			this.restoredEpoch = true;
		}
	}

	private void removeHolder() {
		LeaderElectionRecord record = this.stored;
		if (record != null) {
			store(new LeaderElectionRecord("", record.leaseDurationSeconds(), record.acquireTime(), record.renewTime(),
					record.leaderTransitions()));
		}
	}

	private long skew() {
		return (long) ((this.random.nextDouble() - 0.5) * 7200 * SECOND);
	}

	private void add(String identity) {
		Replica replica = new Replica(identity);
		this.replicas.add(replica);
		replica.start();
	}

	private void run(Duration duration) {
		long end = this.now + duration.toNanos();
		while (!this.events.isEmpty() && this.events.peek().at() <= end) {
			Event event = this.events.remove();
			this.now = event.at();
			checkLeaders();
			if (event.replica() == null || event.replica().isRunning(event)) {
				event.action().run();
				checkLeaders();
			}
		}
		this.now = end;
	}

	private void checkLeaders() {
		if (this.violation != null) {
			throw new AssertionError(this.violation);
		}
		if (leaders() > 1) {
			throw new AssertionError("two leaders: " + this.replicas.stream().filter(Replica::leads).toList());
		}
	}

	private void at(long at, @Nullable Replica replica, Runnable action) {
		this.events.add(new Event(at, this.order++, replica, action));
	}

	/** Mostly short, sometimes longer than a lease. */
	private long delay() {
		double longest = happens(0.1) ? 1.5 * this.config.leaseDuration().toNanos() : 0.05 * SECOND;
		return (long) (this.random.nextDouble() * longest);
	}

	private boolean happens(double probability) {
		return !this.calm && this.random.nextDouble() < probability;
	}

	private Mono<ResourceLock.Version> request(Replica replica, Supplier<ResourceLock.@Nullable Version> effect) {
		return Mono.create((sink) -> {
			if (happens(0.05)) {
				return;
			}
			boolean[] cancelled = new boolean[1];
			sink.onCancel(() -> cancelled[0] = true);
			int sent = this.generation;
			at(this.now + delay(), null, () -> {
				if (sent == this.generation) {
					process(replica, effect, sink, cancelled);
				}
			});
		});
	}

	private void process(Replica replica, Supplier<ResourceLock.@Nullable Version> effect,
			MonoSink<ResourceLock.Version> sink, boolean[] cancelled) {
		Runnable answer;
		if (happens(0.05)) {
			answer = () -> sink.error(new IllegalStateException("500"));
		}
		else {
			try {
				ResourceLock.Version result = effect.get();
				long shown = this.serial;
				answer = () -> {
					sink.success(result);
					if (!cancelled[0]) {
						replica.saw(result, shown);
					}
				};
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

	private ResourceLock.Version store(LeaderElectionRecord record) {
		this.backups.add(new Stored(this.stored, this.version));
		this.serial++;
		this.stored = record;
		this.version = ++this.lastVersion;
		return new StoredVersion(null, record, this.version);
	}

	private record Stored(@Nullable LeaderElectionRecord record, long version) {

	}

	private record Event(long at, long order, @Nullable Replica replica, Runnable action) implements Comparable<Event> {

		@Override
		public int compareTo(Event other) {
			int compared = Long.compare(this.at, other.at);
			return (compared != 0) ? compared : Long.compare(this.order, other.order);
		}

	}

	private final class StoredVersion implements ResourceLock.Version {

		private final @Nullable Replica reader;

		private final LeaderElectionRecord record;

		private final long number;

		StoredVersion(@Nullable Replica reader, LeaderElectionRecord record, long number) {
			this.reader = reader;
			this.record = record;
			this.number = number;
		}

		@Override
		public LeaderElectionRecord record() {
			return this.record;
		}

		@Override
		public String resourceVersion() {
			return Long.toString(this.number);
		}

		@Override
		public Mono<ResourceLock.Version> update(LeaderElectionRecord next) {
			return request(this.reader, () -> {
				if (this.number != ElectionModel.this.version) {
					throw new IllegalStateException("409");
				}
				return reader(this.reader, store(next));
			});
		}

	}

	/** Answers to a reader come to that reader, however late. */
	private ResourceLock.Version reader(@Nullable Replica reader, ResourceLock.Version version) {
		return new StoredVersion(reader, version.record(), Long.parseLong(version.resourceVersion()));
	}

	/** One process. */
	private final class Replica implements ResourceLock, LeaderCallbacks, TimeSource {

		private final String identity;

		private final double rate = 1 + ElectionModel.this.random.nextDouble() * (ElectionModel.this.maxRate - 1);

		private final long origin = ElectionModel.this.random.nextLong();

		private final LeaderElector elector;

		private long wallSkew = skew();

		private long pausedUntil;

		private boolean dead;

		private boolean running;

		private boolean told;

		/** Serial of the newest answer. */
		private long seen = -1;

		/** The largest epoch that it has seen. */
		private long highest = -1;

		Replica(String identity) {
			this.identity = identity;
			this.elector = new LeaderElector(this, ElectionModel.this.config, this, this, Runnable::run,
					ElectionModel.this.random::nextDouble);
		}

		void start() {
			this.running = true;
			this.elector.start();
		}

		void stop() {
			this.running = false;
			this.elector.stop();
		}

		void saw(@Nullable Version lock, long serial) {
			this.seen = Math.max(this.seen, serial);
			this.highest = (lock != null) ? Math.max(this.highest, lock.record().leaderTransitions()) : this.highest;
		}

		void pause(long nanos) {
			this.pausedUntil = Math.max(this.pausedUntil, ElectionModel.this.now + nanos);
			// its first moment after the pause, before it learns of anything
			at(this.pausedUntil, null, () -> {
			});
		}

		boolean isPaused() {
			return ElectionModel.this.now < this.pausedUntil;
		}

		/** Puts off what a paused process cannot do. */
		boolean isRunning(Event event) {
			if (isPaused()) {
				at(this.pausedUntil, this, event.action());
				return false;
			}
			return !this.dead;
		}

		boolean leads() {
			return !this.dead && !isPaused() && this.elector.isLeader();
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
		public Mono<Version> get() {
			return request(this, () -> {
				LeaderElectionRecord record = ElectionModel.this.stored;
				return (record != null) ? new StoredVersion(this, record, ElectionModel.this.version) : null;
			});
		}

		@Override
		public Mono<Version> create(LeaderElectionRecord record) {
			return request(this, () -> {
				if (ElectionModel.this.stored != null) {
					throw new IllegalStateException("409");
				}
				return reader(this, store(record));
			});
		}

		@Override
		public void onStartedLeading(long epoch) {
			if (this.told || (epoch <= ElectionModel.this.lastEpoch && !cannotKnowTheEpoch())) {
				ElectionModel.this.violation = "epoch " + epoch + " after " + ElectionModel.this.lastEpoch;
			}
			this.told = true;
			ElectionModel.this.restoredEpoch = false;
			ElectionModel.this.lastEpoch = epoch;
			ElectionModel.this.terms++;
		}

		/**
		 * Whether the server has lost the last epoch, and this replica has not seen it.
		 */
		private boolean cannotKnowTheEpoch() {
			return ElectionModel.this.restoredEpoch && this.highest < ElectionModel.this.lastEpoch;
		}

		@Override
		public CompletionStage<?> onStoppedLeading(long epoch) {
			if (!this.told || this.elector.isLeader()) {
				ElectionModel.this.violation = "told of the end of a term that has not ended";
			}
			this.told = false;
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public Instant now() {
			return Instant.EPOCH.plusNanos(this.wallSkew + ElectionModel.this.now);
		}

		@Override
		public long nanoTime() {
			return this.origin + (long) (ElectionModel.this.now * this.rate);
		}

		/** Timers are late, as on a busy machine, and never early. */
		@Override
		public Runnable schedule(Duration delay, Runnable task) {
			boolean[] cancelled = new boolean[1];
			long late = happens(0.1) ? (long) (ElectionModel.this.random.nextDouble() * 3 * SECOND) : 1000;
			at(ElectionModel.this.now + (long) (delay.toNanos() / this.rate) + late, this, () -> {
				if (!cancelled[0]) {
					task.run();
				}
			});
			return () -> cancelled[0] = true;
		}

		@Override
		public String toString() {
			return this.identity + " " + this.elector.epoch();
		}

	}

}
