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
 * only partition, or slots. Each partition has a number. When this process has taken over
 * the snapshot of a partition, the handlers start on the partition. After that, the
 * changes of the partition are delivered.
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
	 * Fills the mirror from the snapshot. Called on the thread that writes the mirror,
	 * before the loops begin.
	 * @param inStep whether the mirror contains everything that the loops of the previous
	 * run have received
	 * @throws InterruptedException when the thread is interrupted
	 */
	abstract void restore(boolean inStep) throws InterruptedException;

	/**
	 * Called when the loops begin.
	 * @param ready called when a partition may have become {@linkplain #ready() ready}
	 */
	abstract void loopsBegin(Runnable ready);

	/** Returns the number of an object's partition. */
	abstract int of(ResourceKey key, T object);

	/** Returns the number of the partition of a change's object. */
	abstract int of(Change<T> change);

	/** Whether added objects of a partition are stored before they are delivered. */
	abstract boolean isAnnounced(int partition);

	/**
	 * Returns the delivered partitions, each with the epoch in which it was taken over.
	 * This method and the methods below are called by the thread of the
	 * {@link DurableRun}, unless their comment names another thread.
	 */
	abstract Map<Integer, Long> begun();

	/** Whether a partition is still delivered in an epoch. */
	abstract boolean isDelivered(int partition, long epoch);

	/** Returns the partitions on which handlers can start. */
	abstract List<Integer> ready();

	/** Returns the snapshot of a partition that will be taken over. */
	abstract PartitionSnapshot<T> takeOver(int partition);

	/**
	 * Starts the handlers on a partition that was taken over.
	 * @param partition the number of the partition
	 * @param completed the objects whose changes the handlers of the previous process
	 * have completed; {@code null} to deliver all objects
	 * @param ready tests whether the handlers may start with the current objects of the
	 * partition
	 * @return whether the handlers have started, and if not, why
	 */
	abstract SlotHandlers.StartResult begin(int partition, @Nullable CompletedObjects<T> completed,
			Predicate<PersistentMap<ResourceKey, T>> ready);

	/**
	 * Called when the handlers could not start on a partition. Gives up the snapshot if
	 * this process must no longer deliver the partition. This is necessary because the
	 * request to give up the snapshot may not have reached this run.
	 */
	abstract void notBegun(int partition);

	/** Called when another application delivers a partition. Stops the delivery here. */
	abstract void standBy(int partition);

	/**
	 * Gives up the snapshot of a partition, unless this process will deliver the
	 * partition again. Called by any thread.
	 * @return a future that completes when another process can become the writer of the
	 * snapshot
	 */
	abstract CompletableFuture<Void> handOver(int partition);

	/** Returns the current objects of a partition in the mirror. */
	abstract PersistentMap<ResourceKey, T> present(int partition);

	/**
	 * Returns the objects of a partition in a state of the mirror. Successive calls must
	 * pass states in the order in which the mirror had them.
	 */
	abstract PersistentMap<ResourceKey, T> of(PersistentMap<ResourceKey, T> state, int partition);

	/**
	 * Whether the stored version of a namespace equals the given version. {@code scope}
	 * is the number of the namespace, 0 if all namespaces are followed together. Called
	 * by any thread.
	 */
	abstract boolean isStored(int scope, String version);

}
