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
 * The snapshots of the slots that this process owns. Thread-safe.
 *
 * @param <T> the type of the objects
 */
public final class SlotSnapshots<T> implements AutoCloseable {

	private final String location;

	private final Duration interval;

	private final Duration announceTimeout;

	private final IntFunction<SlotSnapshot<T>> factory;

	private final StoreThreads threads;

	private volatile @Nullable MarkedStates<?> marks;

	private final Map<Integer, SlotSnapshot<T>> snapshots = new ConcurrentHashMap<>();

	/**
	 * Creates the snapshots. Opens nothing.
	 * @param options where and how they are kept
	 * @param factory makes the snapshot of a slot
	 * @param threads use the store
	 */
	public SlotSnapshots(SnapshotOptions<T> options, IntFunction<SlotSnapshot<T>> factory, StoreThreads threads) {
		this.location = options.store().location();
		this.interval = options.commitInterval();
		this.announceTimeout = options.announceTimeout();
		this.factory = factory;
		this.threads = threads;
	}

	/** The marks of a run say how far the snapshots are behind. */
	public void marks(MarkedStates<?> marks) {
		this.marks = marks;
	}

	/** The least time between two commits. */
	public Duration interval() {
		return this.interval;
	}

	/**
	 * A batch of changes is about to be handed out.
	 * @param stopping whether to wait no longer
	 * @return until when it waits for the store
	 */
	public AnnounceDeadline deadline(BooleanSupplier stopping) {
		return new AnnounceDeadline(this.threads.commits(), stopping);
	}

	/** The snapshot of a slot that this process takes over, or has taken over. */
	public SlotSnapshot<T> of(int slot) {
		return this.snapshots.computeIfAbsent(slot, this.factory::apply);
	}

	/** The snapshot of a slot that this process has taken over. */
	public @Nullable SlotSnapshot<T> find(int slot) {
		return this.snapshots.get(slot);
	}

	/**
	 * Gives up the snapshot of a slot.
	 * @param slot the slot
	 * @return completes when another process can become its writer
	 */
	public CompletableFuture<Void> handOver(int slot) {
		SlotSnapshot<T> snapshot = this.snapshots.remove(slot);
		return (snapshot != null) ? snapshot.handOver() : CompletableFuture.completedFuture(null);
	}

	/** The status of all together. */
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

	/** Gives up all claims. Waits for that, unless the store is silent. */
	@Override
	public void close() {
		this.snapshots.keySet().forEach(this::handOver);
		this.threads.end(this.announceTimeout);
	}

}
