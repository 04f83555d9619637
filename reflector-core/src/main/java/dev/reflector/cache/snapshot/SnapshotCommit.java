package dev.reflector.cache.snapshot;

import java.util.List;
import java.util.Map;

import dev.reflector.ResourceKey;

/**
 * Changes of a stored state. Each key occurs at most once.
 *
 * @param id the name of this commit; no other commit has the same name
 * @param previous the name of the commit on which this one builds, empty when nothing is
 * stored before it. The stored state must be exactly the result of that commit: on
 * another state, the changes would not lead to the state that the writer means
 * @param header describes what the state was taken of; stored with the first commit, and
 * whenever it differs
 * @param upserts objects to add or to replace
 * @param deletions keys of objects to remove; a key that is not stored is no error
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
