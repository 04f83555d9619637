package dev.reflector.cache.snapshot;

import java.time.Instant;
import java.util.Map;

/**
 * The header and the cursors of a stored state.
 *
 * @param commit the name of the last commit, see {@link SnapshotCommit#id()}
 * @param header describes the collection and the format of the state
 * @param cursors for each scope, the newest resource version up to which every change is
 * completed and stored. A scope is a namespace that is followed separately, or the empty
 * text for all namespaces. A scope without a cursor cannot be resumed by a watch and must
 * be listed
 * @param committedAt when the state was last committed, by the clock of the writer; for
 * display only
 * @since 0.1.0
 */
public record SnapshotHead(String commit, SnapshotHeader header, Map<String, String> cursors, Instant committedAt) {

	public SnapshotHead {
		cursors = Map.copyOf(cursors);
	}

}
