package dev.reflector.autoconfigure.internal.registration;

import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.informer.SharedInformerBuilder;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.sharding.source.ShardedListerWatcher;
import dev.reflector.sharding.source.StaticShard;
import org.jspecify.annotations.Nullable;

/**
 * Decides which objects this replica mirrors and delivers, for all reflectors of a
 * context. A replica mirrors and delivers everything; or mirrors and delivers a fixed
 * share; or mirrors everything, but delivers only while it leads; or mirrors and delivers
 * the slots that it owns.
 */
public sealed interface ReplicaDelivery
		permits ReplicaDelivery.Everything, ReplicaDelivery.FixedShare, LeaderDelivery, ShardDelivery {

	/**
	 * Returns the delivery of this replica.
	 * @param ofLeader the delivery while this replica leads, or {@code null}
	 * @param ofSlots the delivery of the slots that this replica owns, or {@code null}
	 * @param shard the fixed share of this replica, or {@code null}
	 * @return the first of these that is not {@code null}, or else a delivery of
	 * everything
	 */
	static ReplicaDelivery of(@Nullable LeaderDelivery ofLeader, @Nullable ShardDelivery ofSlots,
			@Nullable StaticShard shard) {
		if (ofLeader != null) {
			return ofLeader;
		}
		return (ofSlots != null) ? ofSlots : (shard != null) ? new FixedShare(shard) : new Everything();
	}

	/**
	 * Called once for each new reflector. Returns the part of the reflector's objects
	 * that this replica mirrors and delivers.
	 */
	Part part();

	/**
	 * Returns a store that keeps, in the given store, only the snapshots of this
	 * replica's part.
	 */
	default SnapshotStore snapshots(SnapshotStore store) {
		return store;
	}

	/**
	 * Returns the setting with which replicas take over from each other.
	 * @return a property and its value, or {@code null} if replicas do not take over
	 */
	default @Nullable String takeover() {
		return null;
	}

	/** Adds a new reflector, so that the delivery of its changes is controlled, too. */
	default void add(SharedInformer<?> informer) {
	}

	/**
	 * Removes a reflector because its context is closed, which may be a child of the
	 * context of this delivery.
	 */
	default void remove(SharedInformer<?> informer) {
	}

	/** The part of a reflector's objects that this replica mirrors and delivers. */
	interface Part {

		/** Returns the source of the objects in this part. */
		default <T> ListerWatcher<T> source(String reflector, ListerWatcher<T> whole, ResourceAccessor<T> accessor) {
			return whole;
		}

		/** Configures a new reflector so that it delivers only this part. */
		default void deliver(SharedInformerBuilder<?> builder) {
		}

	}

	/** Each replica mirrors and delivers everything. */
	record Everything() implements ReplicaDelivery, Part {

		@Override
		public Part part() {
			return this;
		}

	}

	/**
	 * Each replica mirrors and delivers a fixed share.
	 *
	 * @param shard the share
	 */
	record FixedShare(StaticShard shard) implements ReplicaDelivery, Part {

		@Override
		public Part part() {
			return this;
		}

		@Override
		public SnapshotStore snapshots(SnapshotStore store) {
			return this.shard.snapshots(store);
		}

		@Override
		public <T> ListerWatcher<T> source(String reflector, ListerWatcher<T> whole, ResourceAccessor<T> accessor) {
			return new ShardedListerWatcher<>(reflector, whole, accessor, this.shard);
		}

	}

}
