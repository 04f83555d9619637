package dev.reflector.cache.snapshot;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Facts about the stored snapshot of a reflector, for display.
 *
 * @param objects the number of stored objects
 * @param bytes the size of the objects in bytes, at least the size of their contents
 * @param cursors the stored cursors (see {@link SnapshotHead#cursors()})
 * @param committedAt when the snapshot was last committed, {@code null} when nothing is
 * stored
 * @since 0.1.0
 */
public record SnapshotFacts(long objects, long bytes, Map<String, String> cursors, @Nullable Instant committedAt) {

	public SnapshotFacts {
		cursors = Map.copyOf(cursors);
	}

}
