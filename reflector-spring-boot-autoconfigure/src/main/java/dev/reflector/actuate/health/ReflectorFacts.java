package dev.reflector.actuate.health;

import java.time.Duration;
import java.time.Instant;

import dev.reflector.ReflectorStatus;
import org.jspecify.annotations.Nullable;

/**
 * The three facts about a mirror, of which none follows from another.
 *
 * @param synced whether it has been filled
 * @param connected whether the server has answered and nothing has failed since
 * @param fresh whether the server has said something within a while, of each namespace
 * @param lastProgressAt when the server has last said how far the collection is, by a
 * list, an event or a bookmark, of the namespace of which that is the longest ago;
 * {@code null} before the first list
 */
record ReflectorFacts(boolean synced, boolean connected, boolean fresh, @Nullable Instant lastProgressAt) {

	/**
	 * The facts.
	 * @param status what the reflector reports
	 * @param now the time
	 * @param staleThreshold after which time without progress a mirror is not fresh any
	 * more; zero for never
	 * @return the facts
	 */
	static ReflectorFacts of(ReflectorStatus status, Instant now, Duration staleThreshold) {
		Instant progress = status.contact().lastProgressAt();
		boolean fresh = progress != null
				&& (staleThreshold.isZero() || Duration.between(progress, now).compareTo(staleThreshold) <= 0);
		return new ReflectorFacts(status.synced(), status.contact().connected(), fresh, progress);
	}

}
