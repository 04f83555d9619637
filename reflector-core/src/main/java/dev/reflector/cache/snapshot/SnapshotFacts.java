package dev.reflector.cache.snapshot;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * How much of a reflector is stored.
 *
 * @param objects the number of objects
 * @param bytes how many bytes they take, at least those of their contents
 * @param cursors see {@link SnapshotHead#cursors()}
 * @param committedAt when it was last committed, {@code null} when nothing is stored
 * @since 0.1.0
 */
public record SnapshotFacts(long objects, long bytes, Map<String, String> cursors, @Nullable Instant committedAt) {

	public SnapshotFacts {
		cursors = Map.copyOf(cursors);
	}

}
