package dev.reflector.autoconfigure.internal.registration;

import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.informer.SharedInformerBuilder;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.sharding.source.ShardedListerWatcher;
import dev.reflector.sharding.source.StaticShard;

/**
 * What this replica mirrors and delivers of all reflectors of a context: everything, a
 * fixed share, everything while it leads, or the slots that it owns.
 */
public sealed interface ReplicaDelivery
		permits ReplicaDelivery.Everything, ReplicaDelivery.FixedShare, LeaderDelivery, ShardDelivery {

	/** The part that this replica has of a reflector that is to be made. */
	Part part();

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
		public <T> ListerWatcher<T> source(String reflector, ListerWatcher<T> whole, ResourceAccessor<T> accessor) {
			return new ShardedListerWatcher<>(reflector, whole, accessor, this.shard);
		}

	}

}
