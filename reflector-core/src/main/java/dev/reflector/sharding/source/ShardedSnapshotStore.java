package dev.reflector.sharding.source;

import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotStore;

/**
 * A store that adds the share of a replica to the names of the reflectors.
 *
 * @param store keeps the snapshots
 * @param suffix the text that is added to the name of a reflector
 */
record ShardedSnapshotStore(SnapshotStore store, String suffix) implements SnapshotStore {

	@Override
	public Snapshot open(String reflector) {
		return this.store.open(reflector + this.suffix);
	}

	@Override
	public String location() {
		return this.store.location();
	}

	@Override
	public boolean isLocal() {
		return this.store.isLocal();
	}

}
