package dev.reflector.sharding.source;

import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.sharding.ShardField;
import dev.reflector.sharding.ShardSelector;
import dev.reflector.sharding.StaticAssignment;

/**
 * The fixed share of one replica.
 *
 * @param assignment decides which slots the replica has
 * @param field the field that is hashed
 * @since 0.1.0
 */
public record StaticShard(StaticAssignment assignment, ShardField field) {

	/**
	 * Returns the selector of the objects of the replica.
	 * @return the selector, with one range
	 */
	public ShardSelector selector() {
		return this.assignment.slots().selector(this.field, this.assignment.desired().toSet());
	}

	/**
	 * Returns a store that keeps the snapshots of this share separate from the snapshots
	 * of other shares, and from the snapshots of this replica under another division of
	 * the collection.
	 * @param store the store that all replicas may use
	 * @return the store for this replica
	 */
	public SnapshotStore snapshots(SnapshotStore store) {
		return new ShardedSnapshotStore(store, " " + this);
	}

	/**
	 * Describes the share.
	 * @return a text such as {@code shard 2 of 4 by uid in 64 slots}
	 */
	@Override
	public String toString() {
		return "shard " + this.assignment.index() + " of " + this.assignment.count() + " by "
				+ this.field.path().substring(this.field.path().lastIndexOf('.') + 1) + " in "
				+ this.assignment.slots().count() + " slots";
	}

}
