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
 * The partitions of a mirror that have a snapshot each: the mirror as a whole, which is
 * the only one then, or slots. They are numbered. Handlers begin with a partition when
 * its snapshot was taken over, and a partition that is begun is delivered.
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
	 * @throws InterruptedException when the thread is interrupted
	 */
	abstract void restore() throws InterruptedException;

	/**
	 * The loops begin.
	 * @param ready called when one may have become {@linkplain #ready() ready}
	 */
	abstract void loopsBegin(Runnable ready);

	/** The partition of an object. */
	abstract int of(ResourceKey key, T object);

	/** The partition of the object of a change. */
	abstract int of(Change<T> change);

	/** Whether additions to a partition are stored before they are delivered. */
	abstract boolean isAnnounced(int partition);

	/**
	 * Those that are delivered, with the epoch in which they were taken over. Called by
	 * the thread of the run, as all that follows.
	 */
	abstract Map<Integer, Long> begun();

	/** Whether a partition is still delivered, in an epoch. */
	abstract boolean isDelivered(int partition, long epoch);

	/** Those that handlers can begin with. */
	abstract List<Integer> ready();

	/** The snapshot of a partition to take over. */
	abstract PartitionSnapshot<T> takeOver(int partition);

	/**
	 * Has handlers begin with a partition that was taken over.
	 * @param partition the partition
	 * @param completed what those of the process before have completed; {@code null} to
	 * begin with all objects
	 * @param ready whether they may begin with its objects
	 * @return whether they have begun
	 */
	abstract SlotHandlers.StartResult begin(int partition, @Nullable CompletedObjects<T> completed,
			Predicate<PersistentMap<ResourceKey, T>> ready);

	/**
	 * Handlers could not begin with a partition. If it is not to be delivered any more,
	 * its snapshot is not kept: the release may have gone to the next run.
	 */
	abstract void notBegun(int partition);

	/** Another application delivers a partition. */
	abstract void standBy(int partition);

	/**
	 * Gives up the snapshot of a partition, unless it will be delivered again. Called by
	 * any thread.
	 * @return completes when another process can become its writer
	 */
	abstract CompletableFuture<Void> handOver(int partition);

	/** The objects of a partition in the mirror. */
	abstract PersistentMap<ResourceKey, T> present(int partition);

	/**
	 * The objects of a partition in a state of the mirror, each state after the one
	 * before.
	 */
	abstract PersistentMap<ResourceKey, T> of(PersistentMap<ResourceKey, T> state, int partition);

	/** Whether a version is that of what is stored. Called by any thread. */
	abstract boolean isStored(int scope, String version);

}
