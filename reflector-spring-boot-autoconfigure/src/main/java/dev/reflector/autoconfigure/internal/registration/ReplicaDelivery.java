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
 * What this replica mirrors and delivers of all reflectors of a context: everything, a
 * fixed share, everything while it leads, or the slots that it owns.
 */
public sealed interface ReplicaDelivery
		permits ReplicaDelivery.Everything, ReplicaDelivery.FixedShare, LeaderDelivery, ShardDelivery {

	/**
	 * What a replica has: what it shares with others, or all.
	 * @param ofLeader has everything delivered while this replica leads
	 * @param ofSlots delivers the slots that this replica owns
	 * @param shard the share that it has for good
	 * @return the first of them that is there
	 */
	static ReplicaDelivery of(@Nullable LeaderDelivery ofLeader, @Nullable ShardDelivery ofSlots,
			@Nullable StaticShard shard) {
		if (ofLeader != null) {
			return ofLeader;
		}
		return (ofSlots != null) ? ofSlots : (shard != null) ? new FixedShare(shard) : new Everything();
	}

	/** The part that this replica has of a reflector that will be made. */
	Part part();

	/** Where the snapshots of the part are kept. */
	default SnapshotStore snapshots(SnapshotStore store) {
		return store;
	}

	/** Adds a reflector that was made for its part. */
	default void add(SharedInformer<?> informer) {
	}

	/** The part of one reflector. */
	interface Part {

		/** The source of what is mirrored. */
		default <T> ListerWatcher<T> source(String reflector, ListerWatcher<T> whole, ResourceAccessor<T> accessor) {
			return whole;
		}

		/** Has the reflector that is made deliver its part. */
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
	 * Each replica has a share for good.
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
