package dev.reflector.cache.informer;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.delivery.PendingChanges;
import dev.reflector.cache.internal.snapshot.AnnounceDeadline;
import dev.reflector.cache.internal.snapshot.PartitionSnapshot;

/**
 * Stores added objects before handlers receive them, each in the snapshot of its
 * partition. Used by the thread that writes the mirror, which waits until the objects are
 * stored.
 *
 * @param <T> the type of the objects
 */
final class PartitionAnnouncements<T> {

	private final DurablePartitions<T> partitions;

	private final BooleanSupplier stopping;

	PartitionAnnouncements(DurablePartitions<T> partitions, BooleanSupplier stopping) {
		this.partitions = partitions;
		this.stopping = stopping;
	}

	/** Stores the additions of a batch. All partitions share one deadline. */
	void announce(PendingChanges<T> pendingChanges) {
		Map<Integer, Batch<T>> batches = new HashMap<>();
		pendingChanges.forEach(
				(key, object) -> batch(batches, this.partitions.of(key, object)).additions().put(key, object),
				(change) -> add(batches, change));
		AnnounceDeadline deadline = this.partitions.snapshots().deadline(this.stopping);
		try {
			for (Map.Entry<Integer, Batch<T>> batch : batches.entrySet()) {
				PartitionSnapshot<T> snapshot = this.partitions.snapshots().find(batch.getKey());
				if (snapshot != null) {
					snapshot.announce(batch.getValue().additions(), batch.getValue().deletions(), deadline);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void add(Map<Integer, Batch<T>> batches, Change<T> change) {
		int partition = this.partitions.of(change);
		if (change.type() == Change.Type.ADDED && this.partitions.isAnnounced(partition)) {
			batch(batches, partition).additions().put(change.key(), change.object());
		}
		else if (change.type() == Change.Type.DELETED && isUndecided(partition, change.key())) {
			batch(batches, partition).deletions().put(change.key(), change.object());
		}
	}

	private boolean isUndecided(int partition, ResourceKey key) {
		PartitionSnapshot<T> snapshot = this.partitions.snapshots().find(partition);
		return snapshot != null && snapshot.isUndecided(key);
	}

	private static <T> Batch<T> batch(Map<Integer, Batch<T>> batches, int partition) {
		return batches.computeIfAbsent(partition,
				(number) -> new Batch<>(new LinkedHashMap<>(), new LinkedHashMap<>()));
	}

	/**
	 * The objects of a batch that belong to one partition.
	 *
	 * @param <T> the type of the objects
	 * @param additions the added objects
	 * @param deletions the deleted objects whose keys are
	 * {@linkplain PartitionSnapshot#isUndecided undecided}
	 */
	private record Batch<T>(Map<ResourceKey, T> additions, Map<ResourceKey, T> deletions) {

	}

}
