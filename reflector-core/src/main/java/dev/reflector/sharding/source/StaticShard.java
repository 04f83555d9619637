package dev.reflector.sharding.source;

import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.sharding.ShardField;
import dev.reflector.sharding.ShardSelector;
import dev.reflector.sharding.StaticAssignment;

/**
 * The fixed share of one replica: which one it is, and the field by which collections are
 * divided.
 *
 * @param assignment says which slots the replica has
 * @param field the field that is hashed
 * @since 0.1.0
 */
public record StaticShard(StaticAssignment assignment, ShardField field) {

	/**
	 * Selects the objects of the replica.
	 * @return the selector, with one range
	 */
	public ShardSelector selector() {
		return this.assignment.slots().selector(this.field, this.assignment.desired().toSet());
	}

	/**
	 * Keeps the snapshots of this share apart from those of others in the same store, and
	 * from those of the same replica when the collection was divided in another way.
	 * @param store the store that all replicas may use
	 * @return the store for this replica
	 */
	public SnapshotStore snapshots(SnapshotStore store) {
		return new ShardedSnapshotStore(store, " " + this);
	}

	/**
	 * Describes the share.
	 * @return such as {@code shard 2 of 4 by uid in 64 slots}
	 */
	@Override
	public String toString() {
		return "shard " + this.assignment.index() + " of " + this.assignment.count() + " by "
				+ this.field.path().substring(this.field.path().lastIndexOf('.') + 1) + " in "
				+ this.assignment.slots().count() + " slots";
	}

}
