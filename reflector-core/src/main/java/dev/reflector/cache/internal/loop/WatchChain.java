package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.internal.store.ResourceVersions;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.jspecify.annotations.Nullable;

/**
 * Opens the watches of a loop, each before the current one ends (make before break), so
 * that one of them delivers changes at any time.
 * <p>
 * The next watch begins at the version that the current one has reached, so both deliver
 * what comes after it, in the order of versions (W-27). Therefore a frame that is not
 * newer than the last known version was delivered already. The first frame of the next
 * watch that is not older than that version shows that the current watch can be closed
 * without missing a change, even if the servers behind the two watches are at different
 * versions. A next watch that delivers nothing takes over when it has lasted a second and
 * the current one has delivered nothing either, or when the current one ends.
 *
 * @param <T> the type of the objects
 */
final class WatchChain<T> {

	/** A watch that is shorter than this many overlaps ends without one. */
	private static final int SHORTEST_WATCH = 4;

	/**
	 * How long to wait before a watch is replaced that delivers too much: slots are given
	 * up one after the other.
	 */
	private static final Duration NARROWED = Duration.ofSeconds(2);

	private static final long NONE = -1;

	private final LoopSetup<T> setup;

	private final Requests<T> requests;

	private final LoopTimers<T> timers;

	private final LoopDelays delays;

	private final LoopReporter journal;

	/** The activity of the next watch, while there is one. */
	private long next = NONE;

	/** Whether the server has accepted the next watch. */
	private boolean opened;

	/** The version at which the next watch begins. */
	private String nextBegin = "";

	/**
	 * The version at which the current watch began, until it has reached that of the
	 * watch before it.
	 */
	private @Nullable String begin;

	/** Whether the source asks for less than the current watch delivers. */
	private boolean narrowed;

	WatchChain(LoopSetup<T> setup, Requests<T> requests, LoopTimers<T> timers, LoopDelays delays,
			LoopReporter journal) {
		this.setup = setup;
		this.requests = requests;
		this.timers = timers;
		this.delays = delays;
		this.journal = journal;
	}

	/**
	 * Opens a watch when there is none.
	 * @param activity its activity
	 * @param version the version to begin at
	 * @param sendInitialEvents whether the full state comes first
	 */
	void open(long activity, String version, boolean sendInitialEvents) {
		this.narrowed = false;
		WatchOptions watch = this.requests.watch(activity, version, sendInitialEvents);
		this.journal.watchRequested(watch);
		if (!this.setup.clientGo()) {
			this.timers.overdue(activity, watch.timeout());
			follow(activity);
		}
		if (sendInitialEvents) {
			this.timers.remind(activity, WatchProgress.REMINDER);
		}
	}

	/** Sets the timer that opens the next watch. */
	private void follow(long activity) {
		Duration overlap = this.setup.options().watch().watchOverlap();
		WatchProgress watch = this.requests.progress();
		if (overlap.isZero() || !this.setup.listerWatcher().watchesOverlap()
				|| watch.timeout().compareTo(overlap.multipliedBy(SHORTEST_WATCH)) < 0) {
			return;
		}
		Duration rest = watch.rest(now()).minus(spread(overlap));
		Duration delay = (this.narrowed && rest.compareTo(NARROWED) > 0) ? spread(NARROWED) : rest;
		this.timers.overlap(activity, delay.isNegative() ? Duration.ZERO : delay);
	}

	/** Clients that began at the same time do not all come back at the same time. */
	private Duration spread(Duration least) {
		return Duration.ofNanos((long) (least.toNanos() * (1 + this.setup.random().nextDouble())));
	}

	/**
	 * The source asks for less than the current watch delivers: opens the next one soon,
	 * if watches may overlap. Otherwise the current one continues until it ends.
	 * @param activity the activity of the loop
	 */
	void narrow(long activity) {
		this.narrowed = true;
		if (this.next == NONE && !this.setup.clientGo()) {
			follow(activity);
		}
	}

	/**
	 * The stream that has delivered the full state is the current watch now.
	 * @param activity its activity
	 */
	void inherited(long activity) {
		if (this.narrowed) {
			narrow(activity);
		}
	}

	/** Whether the current watch is the only one, and delivers no duplicates. */
	boolean isAlone() {
		return this.begin == null && this.next == NONE;
	}

	/**
	 * Whether the next watch can be opened, now that it is time to: not while the current
	 * one delivers duplicates.
	 * @param activity the activity of the current watch
	 */
	boolean canFollow(long activity) {
		if (this.begin != null && this.narrowed) {
			follow(activity);
		}
		return this.begin == null;
	}

	/**
	 * Opens the next watch.
	 * @param activity its activity
	 * @param version the version that the current one has reached
	 */
	void openNext(long activity, String version) {
		this.next = activity;
		this.opened = false;
		this.narrowed = false;
		this.nextBegin = version;
		this.journal.watchRequested(this.requests.nextWatch(activity, version));
		this.timers.settleNext(activity, WatchProgress.REMINDER);
	}

	/** Whether an activity is that of the next watch. */
	boolean isNext(long activity) {
		return this.next == activity;
	}

	/**
	 * Handles a result of the next watch.
	 * @param result the result
	 * @param version the version that the current watch has reached
	 * @return the signal that follows, if any. When the overlap is complete, the caller
	 * still has to handle a frame, as the first one of the current watch
	 */
	@Nullable LoopSignal receive(LoopMessage.Result<T> result, String version) {
		if (result instanceof LoopMessage.Settled<T> && !this.opened) {
			this.journal.overlapUnanswered();
			this.timers.settleNext(result.activity(), WatchProgress.REMINDER);
			return null;
		}
		if (result instanceof LoopMessage.Settled<T>) {
			// if only the other watch has delivered something, this one lags behind
			return version.equals(this.nextBegin) ? new LoopSignal.OverlapComplete() : null;
		}
		if (result instanceof LoopMessage.Failed<T> failed) {
			return failed(Failure.of(failed.error()));
		}
		if (result instanceof LoopMessage.Closed<T> closed) {
			this.requests.nextClosed(closed.overdue());
		}
		if (!(result instanceof LoopMessage.Frame<T> frame)) {
			return useless();
		}
		if (frame.event() instanceof WatchEvent.Error<T> error) {
			return failed(Failure.of(error.status()));
		}
		if (frame.event() instanceof WatchEvent.Opened<T>) {
			this.opened = true;
			this.requests.nextOpened();
			this.timers.settleNext(result.activity(), WatchProgress.BRIEF);
			this.requests.nextConsumed();
			return null;
		}
		if (WatchReader.isVersionless(frame.event())) {
			this.requests.nextConsumed();
			return null;
		}
		return switch (standing(frame.event(), version, this.nextBegin)) {
			case KNOWN -> {
				this.requests.nextConsumed();
				yield null;
			}
			case LEVEL, NEW -> new LoopSignal.OverlapComplete();
			case UNCLEAR -> useless();
		};
	}

	/**
	 * Delays the next request: the end of the current watch, which may come at any time,
	 * is no reason to try again at once.
	 */
	private LoopSignal failed(Failure failure) {
		this.requests.nextFailed(failure);
		this.delays.hold(failure);
		return new LoopSignal.OverlapFailed();
	}

	private LoopSignal useless() {
		this.delays.hold();
		return new LoopSignal.OverlapFailed();
	}

	/**
	 * Makes the next watch the current one.
	 * @param version the version that the current one has reached
	 * @return its activity
	 */
	long takeOver(String version) {
		long activity = this.next;
		this.next = NONE;
		this.begin = version.equals(this.nextBegin) ? null : this.nextBegin;
		this.timers.cancel();
		this.requests.takeOver();
		this.timers.overdue(activity, this.requests.progress().rest(now()));
		follow(activity);
		if (this.opened) {
			this.timers.settle(activity, WatchProgress.BRIEF);
		}
		this.journal.handedOver(version);
		this.setup.observer().handedOver();
		return activity;
	}

	/** The current watch continues alone. */
	void giveUp() {
		this.next = NONE;
		this.timers.cancelOverlap();
		this.requests.endNext();
		this.journal.overlapFailed();
	}

	/** Forgets the watches, because none is open. */
	void clear() {
		this.next = NONE;
		this.begin = null;
	}

	/**
	 * Compares a frame of the current watch with what is known.
	 * @param event the frame
	 * @param version the version up to which everything is known
	 */
	Standing standing(WatchEvent<T> event, String version) {
		return (this.begin != null) ? standing(event, version, this.begin) : Standing.NEW;
	}

	private Standing standing(WatchEvent<T> event, String version, String begin) {
		String other = version(event);
		boolean comparable = ResourceVersions.isWellFormed(version) && ResourceVersions.isWellFormed(other);
		// E-14: a watch cannot be at a version before the one it was asked to begin at
		boolean wentBack = event instanceof WatchEvent.Bookmark<T> && ResourceVersions.isGreater(begin, other);
		if (!comparable || wentBack) {
			return Standing.UNCLEAR;
		}
		int order = ResourceVersions.compare(other, version);
		return (order < 0) ? Standing.KNOWN : (order == 0) ? Standing.LEVEL : Standing.NEW;
	}

	/**
	 * The current watch has reached the version of the one before: what follows is new.
	 */
	void caughtUp() {
		this.begin = null;
	}

	private String version(WatchEvent<T> event) {
		if (event instanceof WatchEvent.Bookmark<T> bookmark) {
			return bookmark.resourceVersion();
		}
		if (event instanceof WatchEvent.Skipped<T> skipped) {
			return skipped.object().resourceVersion();
		}
		try {
			return this.setup.accessor().resourceVersion(WatchReader.object(event));
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			return "";
		}
	}

	private long now() {
		return this.setup.time().nanoTime();
	}

	/** How a frame compares with what is known. */
	enum Standing {

		/** Older than the last known version: the watch before has delivered it. */
		KNOWN,

		/** At the last known version. */
		LEVEL,

		/** Not known yet. */
		NEW,

		/** Its version cannot be compared (W-69), or the server has gone back. */
		UNCLEAR

	}

}
