package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;

import dev.reflector.PrintableText;
import dev.reflector.ReflectorStatus.Durability;
import dev.reflector.ReflectorStatus.LastError;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotHead;
import org.jspecify.annotations.Nullable;

/**
 * The status of a snapshot, for reports. Thread-safe.
 */
final class DurabilityStatus {

	private final String location;

	private final TimeSource time;

	private boolean writing;

	private int restored;

	private int size;

	private Map<String, String> cursors = Map.of();

	private @Nullable Instant committedAt;

	private @Nullable Duration commitTook;

	private @Nullable MarkedStates<?> marks;

	private @Nullable LastError lastError;

	DurabilityStatus(String location, TimeSource time) {
		this.location = location;
		this.time = time;
	}

	synchronized Durability present() {
		MarkedStates<?> marks = this.writing ? this.marks : null;
		return new Durability(this.location, this.writing, this.restored, this.size, this.cursors, this.committedAt,
				this.commitTook, (marks != null) ? marks.behindSince() : null, this.lastError,
				(marks != null) ? marks.slowest() : null);
	}

	synchronized boolean isWriting() {
		return this.writing;
	}

	/** There is no usable snapshot. */
	synchronized void empty() {
		stored(0, Map.of(), null);
	}

	/** The mirror is filled with what is stored. */
	synchronized void restored(int objects, SnapshotHead head) {
		stored(objects, head.cursors(), head.committedAt());
	}

	private void stored(int objects, Map<String, String> cursors, @Nullable Instant committedAt) {
		this.restored = objects;
		this.size = objects;
		this.cursors = cursors;
		this.committedAt = committedAt;
		this.lastError = null;
	}

	/**
	 * Notes whether this process writes. A process that does not write is not reported as
	 * behind.
	 */
	synchronized void writing(boolean writing) {
		this.writing = writing;
	}

	synchronized void committed(Map<String, String> cursors, Duration took) {
		this.cursors = cursors;
		this.committedAt = this.time.now();
		this.commitTook = took;
		this.lastError = null;
	}

	synchronized void size(int objects) {
		this.size = objects;
	}

	/** The marks of a run say how far it is behind. */
	synchronized void marks(MarkedStates<?> marks) {
		this.marks = marks;
	}

	/** Up to where everything is stored, as a part of a log line. */
	synchronized String storedUpTo() {
		String versions = this.cursors.values().stream().sorted().collect(Collectors.joining(", "));
		return versions.isEmpty() ? "the start"
				: "resource version " + PrintableText.of(versions) + ", stored at " + this.committedAt;
	}

	synchronized void failed(SnapshotException failure) {
		this.lastError = new LastError(this.time.now(), 0, "SnapshotFailed",
				PrintableText.of(String.valueOf(failure.getMessage())));
	}

}
