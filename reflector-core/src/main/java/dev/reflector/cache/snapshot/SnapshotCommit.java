package dev.reflector.cache.snapshot;

import java.util.List;
import java.util.Map;

import dev.reflector.ResourceKey;

/**
 * Changes to a stored state. Each key occurs at most once.
 *
 * @param id the name of this commit; no other commit has the same name
 * @param previous the name of the commit before this one, empty when nothing was stored
 * before. The stored state must be exactly the result of that commit: applied to another
 * state, these changes would lead to a wrong state
 * @param header describes the collection and the format of the state; stored with the
 * first commit, and whenever it has changed
 * @param upserts the objects to add or to replace
 * @param deletions the keys of objects to remove; keys that are not stored are ignored
 * @param cursors the cursors that replace the stored ones (see
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
