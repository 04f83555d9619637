package dev.reflector.cache.snapshot;

import java.util.List;
import java.util.Map;

import dev.reflector.ResourceKey;

/**
 * Changes of a stored state. Each key is in it once at most.
 *
 * @param header what the state is of; stored with the first commit, and whenever it
 * differs
 * @param upserts objects to add or to replace
 * @param deletions keys of objects to remove; a key that is not stored is no error
 * @param cursors the cursors from now on, in place of those before (see
 * {@link SnapshotHead#cursors()})
 * @since 0.1.0
 */
public record SnapshotCommit(SnapshotHeader header, List<StoredObject> upserts, List<ResourceKey> deletions,
		Map<String, String> cursors) {

	public SnapshotCommit {
		upserts = List.copyOf(upserts);
		deletions = List.copyOf(deletions);
		cursors = Map.copyOf(cursors);
	}

}
