package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;

import dev.reflector.PrintableText;
import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * How long a takeover waits until the mirror has reached what is stored: what is newer
 * there would look as if it had been deleted. Versions may have gone back for good, so it
 * does not wait for ever. Used by the thread that takes over.
 */
final class TakeoverPatience {

	private static final Duration LONGEST = Duration.ofSeconds(30);

	private final OpenSnapshot<?> snapshot;

	private final StoredState<?> stored;

	private final TimeSource time;

	/** Since when it waits. */
	private @Nullable Long since;

	TakeoverPatience(DurableMirror<?> mirror, TimeSource time) {
		this.snapshot = mirror.open();
		this.stored = mirror.stored();
		this.time = time;
	}

	/** It was taken over. */
	void begin() {
		this.since = null;
	}

	/**
	 * Whether the mirror is behind, and it waits.
	 * @param hasReached whether the mirror has reached a stored state
	 */
	boolean waits(Predicate<Map<String, String>> hasReached) {
		Map<String, String> told = this.stored.told();
		long now = this.time.nanoTime();
		Long since = this.since;
		if (hasReached.test(told) || (since != null && now - since >= LONGEST.toNanos())) {
			// kept until it is taken over again: handlers may not be able to begin now
			return false;
		}
		if (since == null) {
			this.since = now;
			this.snapshot.log(Level.INFO, "MirrorBehindSnapshot")
				.log("Reflector '{}': this replica is now active, and waits at most {} s until its mirror has reached resource version {}, up to which the previous replica has delivered",
						this.snapshot.name(), LONGEST.toSeconds(), PrintableText.of(String.join(", ", told.values())));
		}
		return true;
	}

}
