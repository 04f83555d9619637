package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.UnaryOperator;

import dev.reflector.PrintableText;
import dev.reflector.ReflectorStatus.Durability;
import dev.reflector.ReflectorStatus.LastError;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.snapshot.SnapshotException;
import org.jspecify.annotations.Nullable;

/**
 * The status of a snapshot, for reports. One thread at a time changes it, any thread may
 * read it.
 */
final class DurabilityStatus {

	private final TimeSource time;

	private volatile Durability present;

	DurabilityStatus(String location, TimeSource time) {
		this.time = time;
		this.present = new Durability(location, false, 0, Map.of(), null, null, null, null);
	}

	Durability present() {
		return this.present;
	}

	boolean isWriting() {
		return this.present.writing();
	}

	void restored(int objects) {
		change((now) -> new Durability(now.location(), now.writing(), objects, now.cursors(), now.committedAt(),
				now.commitTook(), now.behindSince(), null));
	}

	void writing(boolean writing) {
		change((now) -> new Durability(now.location(), writing, now.restored(), now.cursors(), now.committedAt(),
				now.commitTook(), now.behindSince(), now.lastError()));
	}

	void committed(Map<String, String> cursors, Duration took) {
		change((now) -> new Durability(now.location(), now.writing(), now.restored(), cursors, this.time.now(), took,
				now.behindSince(), null));
	}

	/** Notes whether the mirror has moved on from what is stored. */
	void behind(boolean behind) {
		Instant since = this.present.behindSince();
		if (behind != (since != null)) {
			change((now) -> new Durability(now.location(), now.writing(), now.restored(), now.cursors(),
					now.committedAt(), now.commitTook(), behind ? this.time.now() : null, now.lastError()));
		}
	}

	void failed(SnapshotException failure) {
		@Nullable LastError error = new LastError(this.time.now(), 0, "SnapshotFailed",
				PrintableText.of(String.valueOf(failure.getMessage())));
		change((now) -> new Durability(now.location(), now.writing(), now.restored(), now.cursors(), now.committedAt(),
				now.commitTook(), now.behindSince(), error));
	}

	private void change(UnaryOperator<Durability> change) {
		this.present = change.apply(this.present);
	}

}
