package dev.reflector.cache.informer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.Ownership;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.delivery.SlotHandlers;
import dev.reflector.cache.internal.snapshot.DurableMirror;
import dev.reflector.cache.internal.snapshot.MirrorStart;
import dev.reflector.cache.internal.snapshot.PartitionSnapshot;
import dev.reflector.cache.internal.snapshot.PartitionSnapshots;
import dev.reflector.cache.internal.snapshot.RestoredState;
import dev.reflector.cache.internal.snapshot.SnapshotMismatchException;
import dev.reflector.cache.internal.store.CompletedObjects;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.internal.store.PersistentMap;
import org.jspecify.annotations.Nullable;

/**
 * The whole mirror as one partition, with one snapshot. A start restores the mirror, and
 * finds the changes since the snapshot.
 *
 * @param <T> the type of the objects
 */
final class WholePartition<T> extends DurablePartitions<T> {

	/** The number of the only partition. */
	static final int WHOLE = Ownership.WHOLE;

	private final DurableMirror<T> mirror;

	private final MirrorStart<T> start;

	private final Indexer<T> indexer;

	private final Loops<T> loops;

	private final MirrorWriter<T> writer;

	private final Handlers<T> handlers;

	private final ListedUids<T> listedUids;

	private final BooleanSupplier stopping;

	/** The number of times that the partition was taken over. */
	private long epoch;

	WholePartition(PartitionSnapshots<T> snapshots, MirrorStart<T> start, RunSetup<T> setup, DurableRun.Parts<T> parts,
			BooleanSupplier stopping) {
		super(snapshots);
		this.mirror = start.mirror();
		this.start = start;
		this.indexer = parts.indexer();
		this.loops = parts.loops();
		this.writer = parts.writer();
		this.writer.compareBy(this.mirror::hasSameContent);
		this.handlers = parts.handlers();
		this.listedUids = new ListedUids<>(setup, stopping);
		this.stopping = stopping;
	}

	@Override
	boolean isRestored() {
		return true;
	}

	/**
	 * Fills the mirror from the snapshot, unless an earlier run has done so, and prepares
	 * the loops to find the changes since the snapshot. If a run ends before it has found
	 * all changes, the next run tries to find them again. Otherwise, the next run
	 * continues from the version at which the previous run has ended, if the snapshot has
	 * that version.
	 */
	@Override
	void restore(boolean inStep) throws InterruptedException {
		RestoredState<T> restored = this.start.restore(this.stopping);
		if (!this.mirror.role().isActive()) {
			// another application delivers, so this process must not
			this.handlers.standBy();
		}
		if (restored == null) {
			if (inStep && isStoredAsItIs() && this.start.continues(this.loops.cursors(), this.stopping)) {
				this.writer.recover(List.of(), this.mirror::recovered);
				this.loops.resumeFrom(this.loops.cursors());
			}
			return;
		}
		if (!this.start.isFilled()) {
			this.handlers.write(() -> {
				this.indexer.fill(restored.objects());
				this.indexer.unknown().addAll(restored.unknown());
			});
			this.start.filled(restored, this.indexer.objects());
		}
		List<ResourceKey> keys = new ArrayList<>();
		this.indexer.objects().forEach((key, object) -> keys.add(key));
		this.mirror.announced().forEach((key, object) -> keys.add(key));
		this.indexer.unknown().forEach((key, object) -> keys.add(key));
		if (!isOfThisServer(keys)) {
			this.mirror.emptied(this.indexer.objects());
			return;
		}
		this.writer.recover(this.loops.uncovered(keys), this.mirror::recovered);
		this.loops.resumeFrom(restored.cursors());
	}

	/**
	 * Whether the snapshot contains the current state of the mirror, with the versions of
	 * all loops.
	 */
	private boolean isStoredAsItIs() {
		int scope = 0;
		for (String version : this.loops.cursors().values()) {
			if (version.isEmpty() || !isStored(scope++, version)) {
				return false;
			}
		}
		return true;
	}

	private boolean isOfThisServer(List<ResourceKey> keys) throws InterruptedException {
		try {
			if (this.start.isOfThisServer(this.indexer.objects(), this.listedUids, this.stopping)) {
				return true;
			}
		}
		catch (SnapshotMismatchException ex) {
			empty(keys);
			throw ex;
		}
		empty(keys);
		return false;
	}

	private void empty(List<ResourceKey> keys) {
		this.handlers.write(() -> {
			this.indexer.replace(Map.of(), keys, "");
			this.indexer.unknown().clear();
		});
	}

	/**
	 * Notes that the loops begin to receive changes. If the run ends before a received
	 * change is in the mirror, the change may be lost, so a later run does not resume
	 * from the versions of the snapshot.
	 */
	@Override
	void loopsBegin(Runnable ready) {
		this.mirror.loopsBegin();
	}

	@Override
	int of(ResourceKey key, T object) {
		return WHOLE;
	}

	@Override
	int of(Change<T> change) {
		return WHOLE;
	}

	@Override
	boolean isAnnounced(int partition) {
		return true;
	}

	@Override
	Map<Integer, Long> begun() {
		return isDelivered() ? Map.of(WHOLE, this.epoch) : Map.of();
	}

	private boolean isDelivered() {
		return this.mirror.role().isActive() && !this.handlers.isStandby();
	}

	@Override
	boolean isDelivered(int partition, long epoch) {
		return epoch == this.epoch && isDelivered();
	}

	@Override
	List<Integer> ready() {
		boolean ready = (this.mirror.role().isTakingOver() || this.mirror.role().isActive())
				&& this.handlers.isStandby() && this.handlers.hasSynced();
		return ready ? List.of(WHOLE) : List.of();
	}

	@Override
	PartitionSnapshot<T> takeOver(int partition) {
		return snapshots().of(WHOLE);
	}

	@Override
	SlotHandlers.StartResult begin(int partition, @Nullable CompletedObjects<T> completed,
			Predicate<PersistentMap<ResourceKey, T>> ready) {
		if (this.handlers.takeOver(completed, () -> this.mirror.role().isActive() && ready.test(present(WHOLE)))) {
			this.epoch++;
			return SlotHandlers.StartResult.STARTED;
		}
		return this.mirror.role().isActive() ? SlotHandlers.StartResult.NOT_READY : SlotHandlers.StartResult.GONE;
	}

	@Override
	void notBegun(int partition) {
		// nothing to do: whether this process is the writer is decided elsewhere
	}

	@Override
	void standBy(int partition) {
		this.handlers.standBy();
	}

	@Override
	CompletableFuture<Void> handOver(int partition) {
		return this.mirror.handOver();
	}

	@Override
	PersistentMap<ResourceKey, T> present(int partition) {
		return this.indexer.objects();
	}

	@Override
	PersistentMap<ResourceKey, T> of(PersistentMap<ResourceKey, T> state, int partition) {
		return state;
	}

	@Override
	boolean isStored(int scope, String version) {
		return this.mirror.isStored(scope, version);
	}

}
