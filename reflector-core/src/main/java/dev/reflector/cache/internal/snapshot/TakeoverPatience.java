package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;

import dev.reflector.PrintableText;
import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Decides how long a takeover waits until the mirror has reached the stored state.
 * Without this wait, stored objects that are newer than the mirror would look as if they
 * had been deleted. The wait is limited, because the mirror never reaches the stored
 * state if the server has gone back to an older state. Used by the thread that takes
 * over.
 */
final class TakeoverPatience {

	private static final Duration LONGEST = Duration.ofSeconds(30);

	private final OpenSnapshot<?> snapshot;

	private final StoredState<?> stored;

	private final TimeSource time;

	/** See {@link RestoredState#reached()}. */
	private Map<String, String> reached = Map.of();

	/** When the takeover began to wait, or {@code null} if it has not waited. */
	private @Nullable Long since;

	TakeoverPatience(DurableMirror<?> mirror, TimeSource time) {
		this.snapshot = mirror.open();
		this.stored = mirror.stored();
		this.time = time;
	}

	/**
	 * Notes that the snapshot was taken over.
	 * @param reached see {@link RestoredState#reached()}
	 */
	void begin(Map<String, String> reached) {
		this.reached = reached;
		this.since = null;
	}

	/**
	 * Whether the takeover must wait, because the mirror is behind the stored state.
	 * @param hasReached returns whether the mirror has reached the versions of a stored
	 * state
	 */
	boolean waits(Predicate<Map<String, String>> hasReached) {
		Map<String, String> told = this.stored.told(this.reached);
		long now = this.time.nanoTime();
		Long since = this.since;
		if (hasReached.test(told) || (since != null && now - since >= LONGEST.toNanos())) {
			// "since" is kept until the next takeover, because handlers may not be able
			// to begin now
			return false;
		}
		if (since == null) {
			this.since = now;
			this.snapshot.log(Level.INFO, "MirrorBehindSnapshot")
				.log("Reflector '{}': this replica is now active. Before it delivers, it waits up to {} s until "
						+ "its mirror has reached resource version {}, up to which the previous replica has delivered",
						this.snapshot.name(), LONGEST.toSeconds(), PrintableText.of(String.join(", ", told.values())));
		}
		return true;
	}

}
