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

	private int contentUnknown;

	private Map<String, String> cursors = Map.of();

	private @Nullable Instant committedAt;

	private @Nullable Duration commitTook;

	private @Nullable MarkedStates<?> marks;

	private @Nullable LastError lastError;

	private @Nullable String heldBy;

	DurabilityStatus(String location, TimeSource time) {
		this.location = location;
		this.time = time;
	}

	synchronized Durability present() {
		MarkedStates<?> marks = this.writing ? this.marks : null;
		return new Durability(this.location, this.writing, this.restored, this.size, this.contentUnknown, this.cursors,
				this.committedAt, this.commitTook, (marks != null) ? marks.behindSince() : null, this.lastError,
				this.heldBy, (marks != null) ? marks.slowest() : null);
	}

	synchronized boolean isWriting() {
		return this.writing;
	}

	/** Notes that there is no usable snapshot. */
	synchronized void empty() {
		stored(0, 0, Map.of(), null);
	}

	/** Notes that the mirror is filled from the snapshot. */
	synchronized void restored(int objects, int contentUnknown, SnapshotHead head) {
		stored(objects, contentUnknown, head.cursors(), head.committedAt());
	}

	private void stored(int objects, int contentUnknown, Map<String, String> cursors, @Nullable Instant committedAt) {
		this.restored = objects;
		this.size = objects + contentUnknown;
		this.contentUnknown = contentUnknown;
		this.cursors = cursors;
		this.committedAt = committedAt;
		this.lastError = null;
	}

	/**
	 * Sets whether this process writes the snapshot. If not, the status does not report
	 * that the snapshot is behind.
	 */
	synchronized void writing(boolean writing) {
		this.writing = writing;
		if (writing) {
			this.heldBy = null;
		}
	}

	/**
	 * Sets the name of another application that writes the snapshot, or {@code null} if
	 * there is none.
	 */
	synchronized void heldBy(@Nullable String application) {
		this.heldBy = application;
	}

	/**
	 * Notes that another replica writes the snapshot. After that, this replica has no
	 * error with it.
	 */
	synchronized void standsBy() {
		this.writing = false;
		this.heldBy = null;
		this.lastError = null;
	}

	synchronized void committed(Map<String, String> cursors, Duration took) {
		this.cursors = cursors;
		this.committedAt = this.time.now();
		this.commitTook = took;
		this.lastError = null;
	}

	synchronized void size(int objects, int contentUnknown) {
		this.size = objects;
		this.contentUnknown = contentUnknown;
	}

	/** Sets the marks of a run, which show how far the snapshot is behind the mirror. */
	synchronized void marks(MarkedStates<?> marks) {
		this.marks = marks;
	}

	/** Returns the versions up to which everything is stored, as a part of a log line. */
	synchronized String storedUpTo() {
		String versions = this.cursors.values().stream().sorted().collect(Collectors.joining(", "));
		return versions.isEmpty() ? "the start"
				: "resource version " + PrintableText.of(versions) + ", stored at " + this.committedAt;
	}

	/**
	 * Notes that additions could not be stored. Does nothing if another replica writes
	 * the snapshot by now, because a standby has no error with it.
	 */
	synchronized void notAnnounced(SnapshotException failure) {
		if (this.writing) {
			failed(failure);
		}
	}

	synchronized void failed(SnapshotException failure) {
		String reason = (failure instanceof SnapshotMismatchException) ? Durability.MISMATCH : "SnapshotFailed";
		this.lastError = new LastError(this.time.now(), 0, reason,
				PrintableText.of(String.valueOf(failure.getMessage())));
	}

}
