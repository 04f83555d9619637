package dev.reflector.actuate;

import java.time.Duration;
import java.time.Instant;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import org.jspecify.annotations.Nullable;

/**
 * The three facts about a mirror, of which none follows from another.
 *
 * @param synced whether it has been filled
 * @param connected whether the collection is listed or followed without failures
 * @param fresh whether the server has said something within a while
 * @param lastProgressAt when the server has last said how far the collection is, by a
 * list, an event or a bookmark; {@code null} before the first list
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
		Instant progress = lastProgressAt(status);
		boolean fresh = progress != null
				&& (staleThreshold.isZero() || Duration.between(progress, now).compareTo(staleThreshold) <= 0);
		return new ReflectorFacts(status.synced(), isConnected(status), fresh, progress);
	}

	static boolean isConnected(ReflectorStatus status) {
		return status.failingSince() == null
				&& (status.state() == ReflectorState.LISTING || status.state() == ReflectorState.WATCHING);
	}

	static @Nullable Instant lastProgressAt(ReflectorStatus status) {
		Instant list = status.lastListAt();
		Instant event = status.lastEventAt();
		return (list == null || (event != null && event.isAfter(list))) ? event : list;
	}

}
