package dev.reflector.cache.informer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.delivery.DeliveredSlots;
import dev.reflector.cache.internal.delivery.SlotHandlers;
import dev.reflector.cache.internal.snapshot.PartitionSnapshot;
import dev.reflector.cache.internal.snapshot.PartitionSnapshots;
import dev.reflector.cache.internal.store.CompletedObjects;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.sharding.ShardOwnership;
import org.jspecify.annotations.Nullable;

/**
 * The slots that this replica owns, each with its own snapshot. The mirror is not
 * restored from these snapshots, because the mirror already follows the server when this
 * replica takes over a slot.
 *
 * @param <T> the type of the objects
 */
final class SlotPartitions<T> extends DurablePartitions<T> {

	private final SlotHandlers<T> handlers;

	private final DeliveredSlots<T> slots;

	private final Indexer<T> indexer;

	private final SlotContents<T> contents;

	/** The epoch in which each snapshot was taken over, by slot. */
	private final Map<Integer, Long> taken = new HashMap<>();

	SlotPartitions(PartitionSnapshots<T> snapshots, SlotHandlers<T> handlers, Indexer<T> indexer) {
		super(snapshots);
		this.handlers = handlers;
		this.slots = handlers.delivered();
		this.indexer = indexer;
		this.contents = new SlotContents<>(this.slots);
	}

	@Override
	boolean isRestored() {
		return false;
	}

	@Override
	void restore(boolean inStep) {
		// slots are not restored
	}

	@Override
	void loopsBegin(Runnable ready) {
		this.handlers.whenSlotIsReady(ready);
	}

	@Override
	int of(ResourceKey key, T object) {
		return this.slots.slotOf(key, object);
	}

	@Override
	int of(Change<T> change) {
		return this.slots.slotOf(change);
	}

	@Override
	boolean isAnnounced(int slot) {
		return this.slots.hasBegun(slot);
	}

	@Override
	Map<Integer, Long> begun() {
		Map<Integer, Long> begun = this.slots.begunEpochs();
		if (begun.isEmpty()) {
			this.contents.advance(PersistentMap.empty());
		}
		return begun;
	}

	@Override
	boolean isDelivered(int slot, long epoch) {
		return this.slots.isDelivered(slot, epoch);
	}

	@Override
	List<Integer> ready() {
		return this.handlers.readySlots();
	}

	@Override
	PartitionSnapshot<T> takeOver(int slot) {
		long epoch = this.slots.epoch(slot);
		Long before = this.taken.put(slot, epoch);
		if (before != null && before != epoch) {
			// another owner may have written the snapshot since then
			snapshots().handOver(slot);
		}
		return snapshots().of(slot);
	}

	@Override
	SlotHandlers.StartResult begin(int slot, @Nullable CompletedObjects<T> completed,
			Predicate<PersistentMap<ResourceKey, T>> ready) {
		return this.handlers.begin(slot, completed, () -> present(slot), ready);
	}

	@Override
	void notBegun(int slot) {
		handOver(slot);
	}

	@Override
	void standBy(int slot) {
		this.handlers.standBy(slot);
	}

	/**
	 * Gives up the snapshot of a slot, unless this replica owns the slot again: a late
	 * release must not give up the snapshot of a later epoch.
	 */
	@Override
	CompletableFuture<Void> handOver(int slot) {
		return (this.slots.epoch(slot) == ShardOwnership.NOT_OWNED) ? snapshots().handOver(slot)
				: CompletableFuture.completedFuture(null);
	}

	@Override
	PersistentMap<ResourceKey, T> present(int slot) {
		return of(this.indexer.objects(), slot);
	}

	@Override
	PersistentMap<ResourceKey, T> of(PersistentMap<ResourceKey, T> state, int slot) {
		this.contents.advance(state);
		return this.contents.of(slot);
	}

	/** Always returns {@code false}, because each slot has its own version. */
	@Override
	boolean isStored(int scope, String version) {
		return false;
	}

}
