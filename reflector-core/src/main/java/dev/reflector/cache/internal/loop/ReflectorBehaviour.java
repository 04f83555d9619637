package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.Compatibility;
import dev.reflector.cache.config.DeliverySettings;

/**
 * Decides whether a reflector keeps or avoids the known defects of client-go. The choice
 * is made once, when a {@link LoopSetup} is created from the options. All other code asks
 * this enum for the one decision that it needs.
 */
public enum ReflectorBehaviour {

	/** Avoids the defects of client-go. */
	IMPROVED,

	/** Keeps the defects of client-go, for exact parity. */
	CLIENT_GO;

	/** The shortest timeout of a watch in client-go (C-046). */
	private static final Duration MIN_WATCH_TIMEOUT = Duration.ofMinutes(5);

	/** The time after which client-go's delays start over. */
	private static final Duration RESET_AFTER = Duration.ofMinutes(2);

	/** Returns the behavior that an option selects. */
	public static ReflectorBehaviour of(Compatibility compatibility) {
		return (compatibility == Compatibility.CLIENT_GO) ? CLIENT_GO : IMPROVED;
	}

	/**
	 * Whether the collection is listed again after a change was lost: a deletion that
	 * could not be read, or a change that could not be applied to the mirror (E-10,
	 * E-11). If not, the loss is ignored.
	 */
	public boolean repairsLosses() {
		return this == IMPROVED;
	}

	/**
	 * Whether an object that reappears with a different uid is delivered as a deletion
	 * and an addition (E-24).
	 */
	public boolean detectsRecreation(DeliverySettings settings) {
		return this == IMPROVED && settings.recreationDetected();
	}

	/**
	 * Whether a new list delivers its unchanged objects to the handlers that are due for
	 * a resync (I-33).
	 */
	public boolean redeliversUnchanged() {
		return this == CLIENT_GO;
	}

	/**
	 * Whether versions are compared. If so, a late frame does not replace a newer object
	 * and a server that has gone back to an older state is noticed (E-14).
	 */
	boolean comparesVersions() {
		return this == IMPROVED;
	}

	/**
	 * Whether listed objects that the mirror already holds in the same version are reused
	 * instead of being read again.
	 */
	boolean reusesObjects() {
		return this == IMPROVED;
	}

	/** Whether the next watch is opened before the current one ends (W-69). */
	boolean overlapsWatches() {
		return this == IMPROVED;
	}

	/** Whether the loop ends a watch that lasts longer than its timeout. */
	boolean endsOverdueWatches() {
		return this == IMPROVED;
	}

	/**
	 * Whether a watch is requested again after a delay if it has failed because the
	 * server was not reached, rejects the credentials, or has sent malformed bytes
	 * (W-32). If not, a list follows, except after a refused connection or if the server
	 * has asked the client to wait.
	 */
	boolean repeatsWatches() {
		return this == IMPROVED;
	}

	/**
	 * Whether a watch that has failed with an internal error within the time window is
	 * requested again only after a delay.
	 */
	boolean delaysAfterInternalErrors() {
		return this == IMPROVED;
	}

	/**
	 * Whether a single very short watch without an event leads to a list. If not,
	 * only several such watches in a row do (E-03).
	 */
	boolean listsAfterShortWatch() {
		return this == CLIENT_GO;
	}

	/**
	 * Whether the loop requests lists instead of streams if streams do not deliver the
	 * full state, or if the server refuses streams (E-01). If not, streams are requested
	 * forever.
	 */
	boolean givesUpStreams() {
		return this == IMPROVED;
	}

	/**
	 * Whether a list is requested differently after an earlier list did not help: at the
	 * newest version if watches expire repeatedly (E-38), and in one page if they expire
	 * because reading pages takes too long (E-16).
	 */
	boolean adaptsLists() {
		return this == IMPROVED;
	}

	/**
	 * Whether delays depend on the cause of the failure, and start over after a success.
	 * If not, there is one back-off for all causes, which starts over even without a
	 * success.
	 */
	boolean delaysByCause() {
		return this == IMPROVED;
	}

	/**
	 * Returns the back-off settings. In client-go's mode, they have client-go's reset
	 * time if the options do not set one.
	 */
	BackoffSettings backoff(BackoffSettings settings) {
		boolean unset = settings.resetAfter().equals(BackoffSettings.DEFAULT.resetAfter());
		return (this == CLIENT_GO && unset) ? new BackoffSettings(settings.initial(), settings.max(),
				settings.multiplier(), settings.jitter(), RESET_AFTER) : settings;
	}

	/**
	 * Returns the shortest timeout of a watch. In client-go's mode, it is at least
	 * {@link #MIN_WATCH_TIMEOUT}.
	 */
	Duration minWatchTimeout(Duration configured) {
		return (this == CLIENT_GO && configured.compareTo(MIN_WATCH_TIMEOUT) < 0) ? MIN_WATCH_TIMEOUT : configured;
	}

}
