package dev.reflector.cache.snapshot;

import java.time.Instant;
import java.util.Map;

/**
 * The header and the cursors of a stored state.
 *
 * @param commit names the commit that has led to this state, see
 * {@link SnapshotCommit#id()}
 * @param header what it was taken of
 * @param cursors by scope, the newest resource version up to which every change is
 * completed and stored. A scope is a namespace that is followed on its own, or the empty
 * text for all. A scope without a cursor cannot be resumed by a watch and has to be
 * listed
 * @param committedAt when it was last committed, by the clock of the writer; for display
 * only
 * @since 0.1.0
 */
public record SnapshotHead(String commit, SnapshotHeader header, Map<String, String> cursors, Instant committedAt) {

	public SnapshotHead {
		cursors = Map.copyOf(cursors);
	}

}
