package dev.reflector.cache.snapshot;

import java.util.List;
import java.util.Map;

import dev.reflector.ResourceKey;

/**
 * Changes of a stored state. Each key is in it once at most.
 *
 * @param id names this commit; no other commit has the same name
 * @param previous names the commit that this one builds on, empty when nothing is stored
 * before it. What is stored is then exactly the result of that commit, or the changes
 * lead to another state than the writer means
 * @param header what the state is of; stored with the first commit, and whenever it
 * differs
 * @param upserts objects to add or to replace
 * @param deletions keys of objects to remove; a key that is not stored is no error
 * @param cursors the cursors from now on, in place of those before (see
 * {@link SnapshotHead#cursors()})
 * @since 0.1.0
 */
public record SnapshotCommit(String id, String previous, SnapshotHeader header, List<StoredObject> upserts,
		List<ResourceKey> deletions, Map<String, String> cursors) {

	public SnapshotCommit {
		upserts = List.copyOf(upserts);
		deletions = List.copyOf(deletions);
		cursors = Map.copyOf(cursors);
	}

}
