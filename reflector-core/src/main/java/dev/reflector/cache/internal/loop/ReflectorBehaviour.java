package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.Compatibility;
import dev.reflector.cache.config.DeliverySettings;

/**
 * How a reflector behaves where client-go has a known defect. The choice is made once,
 * when the options become a {@link LoopSetup}; everything else asks for the one decision
 * that it needs.
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

	/** Returns the behaviour that an option selects. */
	public static ReflectorBehaviour of(Compatibility compatibility) {
		return (compatibility == Compatibility.CLIENT_GO) ? CLIENT_GO : IMPROVED;
	}

	/**
	 * Whether the collection is listed again after a change was lost: a deletion that
	 * could not be read, or a change that could not be applied to the mirror (E-10,
	 * E-11). Otherwise, the loss is ignored.
	 */
	public boolean repairsLosses() {
		return this == IMPROVED;
	}

	/**
	 * Whether an object that comes back with another uid is delivered as a deletion and
	 * an addition (E-24).
	 */
	public boolean detectsRecreation(DeliverySettings settings) {
		return this == IMPROVED && settings.recreationDetected();
	}

	/**
	 * Whether the unchanged objects of a new list are delivered to the handlers that are
	 * due for a resync (I-33).
	 */
	public boolean redeliversUnchanged() {
		return this == CLIENT_GO;
	}

	/**
	 * Whether versions are compared: a frame that comes late does not replace a newer
	 * object, and a server that has gone back to an older state is noticed (E-14).
	 */
	boolean comparesVersions() {
		return this == IMPROVED;
	}

	/** Whether the listed objects that the mirror already has need not be read again. */
	boolean reusesObjects() {
		return this == IMPROVED;
	}

	/** Whether the next watch is opened before the current one ends (W-69). */
	boolean overlapsWatches() {
		return this == IMPROVED;
	}

	/** Whether a watch that lasts longer than its timeout is ended. */
	boolean endsOverdueWatches() {
		return this == IMPROVED;
	}

	/**
	 * Whether a watch that fails for a reason other than its version is requested again
	 * after a delay: the server was not reached, it rejects the credentials, or bytes are
	 * malformed (W-32). Otherwise, a list follows, except after a refused connection and
	 * after a request to wait.
	 */
	boolean repeatsWatches() {
		return this == IMPROVED;
	}

	/**
	 * Whether a watch is requested again only after a delay when it has failed with an
	 * internal error within its time window.
	 */
	boolean delaysAfterInternalErrors() {
		return this == IMPROVED;
	}

	/**
	 * Whether one very short watch without an event leads to a list. Otherwise, it
	 * takes several in a row (E-03).
	 */
	boolean listsAfterShortWatch() {
		return this == CLIENT_GO;
	}

	/**
	 * Whether streams that do not deliver the full state, or that the server refuses, are
	 * given up for lists (E-01). Otherwise, they are requested for ever.
	 */
	boolean givesUpStreams() {
		return this == IMPROVED;
	}

	/**
	 * Whether the list after one that has not helped is requested differently: at the
	 * newest version if watches expire again and again (E-38), and in one page if they
	 * expire because pages take too long (E-16).
	 */
	boolean adaptsLists() {
		return this == IMPROVED;
	}

	/**
	 * Whether delays depend on the cause of the failure, and start over after a success.
	 * Otherwise, there is one back-off for all causes, which starts over although nothing
	 * has succeeded.
	 */
	boolean delaysByCause() {
		return this == IMPROVED;
	}

	/** Returns the back-off, with client-go's own reset if the options do not set one. */
	BackoffSettings backoff(BackoffSettings settings) {
		boolean unset = settings.resetAfter().equals(BackoffSettings.DEFAULT.resetAfter());
		return (this == CLIENT_GO && unset) ? new BackoffSettings(settings.initial(), settings.max(),
				settings.multiplier(), settings.jitter(), RESET_AFTER) : settings;
	}

	/** Returns the shortest timeout of a watch, which client-go limits from below. */
	Duration minWatchTimeout(Duration configured) {
		return (this == CLIENT_GO && configured.compareTo(MIN_WATCH_TIMEOUT) < 0) ? MIN_WATCH_TIMEOUT : configured;
	}

}
