package dev.reflector.cache.informer;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.delivery.SlotHandlers;
import dev.reflector.cache.internal.snapshot.PartitionSnapshot;
import dev.reflector.cache.internal.snapshot.PartitionSnapshots;
import dev.reflector.cache.internal.store.CompletedObjects;
import dev.reflector.cache.internal.store.PersistentMap;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of a mirror, each with its own snapshot: either the whole mirror as the
 * only partition, or slots. Partitions are numbered. Handlers start on a partition when
 * its snapshot was taken over; from then on, the partition is delivered.
 *
 * @param <T> the type of the objects
 */
abstract sealed class DurablePartitions<T> permits WholePartition, SlotPartitions {

	private final PartitionSnapshots<T> snapshots;

	DurablePartitions(PartitionSnapshots<T> snapshots) {
		this.snapshots = snapshots;
	}

	final PartitionSnapshots<T> snapshots() {
		return this.snapshots;
	}

	/** Whether the mirror is filled from the snapshot before the loops begin. */
	abstract boolean isRestored();

	/**
	 * Fills the mirror. Called on the thread that writes it, before the loops begin.
	 * @param inStep whether the mirror has everything that the loops of the previous run
	 * have received
	 * @throws InterruptedException when the thread is interrupted
	 */
	abstract void restore(boolean inStep) throws InterruptedException;

	/**
	 * Notes that the loops begin.
	 * @param ready called when a partition may have become {@linkplain #ready() ready}
	 */
	abstract void loopsBegin(Runnable ready);

	/** Returns the partition of an object. */
	abstract int of(ResourceKey key, T object);

	/** Returns the partition of the object of a change. */
	abstract int of(Change<T> change);

	/** Whether additions to a partition are stored before they are delivered. */
	abstract boolean isAnnounced(int partition);

	/**
	 * Returns the partitions that are delivered, with the epoch in which each was taken
	 * over. This method and all following ones are called by the thread of the run.
	 */
	abstract Map<Integer, Long> begun();

	/** Whether a partition is still delivered in an epoch. */
	abstract boolean isDelivered(int partition, long epoch);

	/** Returns the partitions on which handlers can start. */
	abstract List<Integer> ready();

	/** Returns the snapshot of a partition that must be taken over. */
	abstract PartitionSnapshot<T> takeOver(int partition);

	/**
	 * Starts the handlers on a partition that was taken over.
	 * @param partition the partition
	 * @param completed the objects that the handlers of the previous process have
	 * completed; {@code null} to deliver all objects
	 * @param ready whether handlers may start with the objects of the partition
	 * @return whether the handlers have started
	 */
	abstract SlotHandlers.StartResult begin(int partition, @Nullable CompletedObjects<T> completed,
			Predicate<PersistentMap<ResourceKey, T>> ready);

	/**
	 * Called when the handlers could not start on a partition. If the partition must no
	 * longer be delivered, its snapshot is given up, because the request to release it
	 * may have reached only the next run.
	 */
	abstract void notBegun(int partition);

	/** Called when another application delivers a partition. */
	abstract void standBy(int partition);

	/**
	 * Gives up the snapshot of a partition, unless the partition will be delivered again.
	 * Called by any thread.
	 * @return a future that completes when another process can become its writer
	 */
	abstract CompletableFuture<Void> handOver(int partition);

	/** Returns the objects of a partition in the mirror. */
	abstract PersistentMap<ResourceKey, T> present(int partition);

	/**
	 * Returns the objects of a partition in a state of the mirror. States must be passed
	 * in their order.
	 */
	abstract PersistentMap<ResourceKey, T> of(PersistentMap<ResourceKey, T> state, int partition);

	/** Whether the stored state has a version. Called by any thread. */
	abstract boolean isStored(int scope, String version);

}
