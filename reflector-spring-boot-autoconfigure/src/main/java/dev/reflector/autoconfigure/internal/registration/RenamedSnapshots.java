package dev.reflector.autoconfigure.internal.registration;

import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotStore;

/**
 * A store that keeps the snapshots of a reflector, or of its slots, under the configured
 * name instead of the reflector's name.
 *
 * @param store the store that keeps the snapshots
 * @param reflector name of the reflector
 * @param snapshotName the name of the snapshot in the store
 */
record RenamedSnapshots(SnapshotStore store, String reflector, String snapshotName) implements SnapshotStore {

	@Override
	public Snapshot open(String name) {
		return this.store.open(this.snapshotName + name.substring(this.reflector.length()));
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
