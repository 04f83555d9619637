package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;

import dev.reflector.ReflectorStatus.Durability;
import dev.reflector.ReflectorStatus;
import dev.reflector.cache.snapshot.SnapshotOptions;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of the partitions that this process delivers: one for each slot that it
 * owns, or one for the whole mirror. Thread-safe.
 *
 * @param <T> the type of the objects
 */
public final class PartitionSnapshots<T> implements AutoCloseable {

	private final SnapshotOptions<T> options;

	private final String location;

	private final IntFunction<PartitionSnapshot<T>> factory;

	private final StoreThreads threads;

	private volatile @Nullable MarkedStates<?> marks;

	private final Map<Integer, PartitionSnapshot<T>> snapshots = new ConcurrentHashMap<>();

	/**
	 * Creates the snapshots. Does not open the store yet.
	 * @param options where and how the snapshots are kept
	 * @param factory creates the snapshot of a partition
	 * @param threads the threads that use the store
	 */
	public PartitionSnapshots(SnapshotOptions<T> options, IntFunction<PartitionSnapshot<T>> factory,
			StoreThreads threads) {
		this.options = options;
		this.location = options.store().location();
		this.factory = factory;
		this.threads = threads;
	}

	/**
	 * Sets the marks of a run, which show how far the snapshots are behind the mirror.
	 */
	public void marks(MarkedStates<?> marks) {
		this.marks = marks;
		this.snapshots.values().forEach((snapshot) -> snapshot.mirror().open().status().marks(marks));
	}

	/** Returns the shortest time between two commits. */
	public Duration interval() {
		return this.options.commitInterval();
	}

	/** Whether additions are stored before listeners receive them. */
	public boolean isWrittenAhead() {
		return this.options.writeAhead();
	}

	/**
	 * Whether a call is in progress, and the store has accepted nothing from it for the
	 * announce timeout. For a takeover, the store must also have returned nothing for
	 * this time.
	 */
	public boolean isSilent() {
		return this.threads.commits().isSilent(this.options.announceTimeout())
				|| this.threads.takeovers().isUnanswered(this.options.announceTimeout());
	}

	/**
	 * Creates the deadline for the announcement of a batch of changes.
	 * @param stopping returns whether to stop waiting
	 * @return the deadline until which delivery waits for the store
	 */
	public AnnounceDeadline deadline(BooleanSupplier stopping) {
		return new AnnounceDeadline(this.threads.commits(), stopping);
	}

	/**
	 * Returns the snapshot of a partition that this process takes over or has taken over.
	 * Creates it if necessary.
	 */
	public PartitionSnapshot<T> of(int partition) {
		return this.snapshots.computeIfAbsent(partition, this.factory::apply);
	}

	/**
	 * Returns the snapshot of a partition that this process has taken over, or
	 * {@code null} if there is none.
	 */
	public @Nullable PartitionSnapshot<T> find(int partition) {
		return this.snapshots.get(partition);
	}

	/**
	 * Gives up the snapshot of a partition.
	 * @param partition the partition
	 * @return a future that completes when another process can become the writer of the
	 * snapshot
	 */
	public CompletableFuture<Void> handOver(int partition) {
		PartitionSnapshot<T> snapshot = this.snapshots.remove(partition);
		if (snapshot == null) {
			return CompletableFuture.completedFuture(null);
		}
		snapshot.mirror().role().standBy();
		return snapshot.handOver();
	}

	/** Returns one status that combines the statuses of all snapshots. */
	public Durability status() {
		List<Durability> all = new ArrayList<>();
		this.snapshots.values().forEach((snapshot) -> all.add(snapshot.status()));
		List<Durability> written = all.stream().filter(Durability::writing).toList();
		ReflectorStatus.LastError error = all.stream()
			.map(Durability::lastError)
			.filter(Objects::nonNull)
			.max(Comparator.comparing(ReflectorStatus.LastError::at))
			.orElse(null);
		MarkedStates<?> marks = written.isEmpty() ? null : this.marks;
		return new Durability(this.location, written.size() == all.size() && !all.isEmpty(),
				written.stream().mapToInt(Durability::restored).sum(),
				written.stream().mapToInt(Durability::size).sum(),
				written.stream().mapToInt(Durability::contentUnknown).sum(), Map.of(),
				pick(written, Durability::committedAt, BinaryOperator.maxBy(Comparator.naturalOrder())),
				longest(written), (marks != null) ? marks.behindSince() : null, error,
				all.stream().map(Durability::heldBy).filter(Objects::nonNull).findFirst().orElse(null),
				(marks != null) ? marks.slowest() : null);
	}

	private static @Nullable Duration longest(Collection<Durability> all) {
		return all.stream()
			.map(Durability::commitTook)
			.filter(Objects::nonNull)
			.max(Comparator.naturalOrder())
			.orElse(null);
	}

	private static @Nullable Instant pick(Collection<Durability> all, Function<Durability, @Nullable Instant> fact,
			BinaryOperator<Instant> choice) {
		return all.stream().map(fact).filter(Objects::nonNull).reduce(choice).orElse(null);
	}

	/**
	 * Gives up all claims. Waits until this is done, unless the store does not respond.
	 */
	@Override
	public void close() {
		this.snapshots.keySet().forEach(this::handOver);
		this.threads.end(this.options.announceTimeout());
	}

}
