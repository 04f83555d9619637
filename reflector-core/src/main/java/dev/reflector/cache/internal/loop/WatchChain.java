package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.Objects;

import dev.reflector.cache.handler.RequestEnd;
import dev.reflector.cache.internal.store.ResourceVersions;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * Opens the watches of a loop, each before the previous one ends (make before break), so
 * that there is always a watch that delivers changes.
 * <p>
 * The next watch begins at the version that the current watch has reached, so both
 * deliver the changes after that version, in the order of versions (W-27). Therefore a
 * frame that is not newer than the loop's last version was already delivered. When the
 * next watch delivers its first frame that is not older than the last version, the
 * current watch can be closed without missing a change, even if the servers behind the
 * two watches are at different versions. If neither of the two delivers anything, the
 * next watch takes over after a second. In any case, it takes over when the current watch
 * ends.
 *
 * @param <T> the type of the objects
 */
final class WatchChain<T> {

	/**
	 * If the timeout of a watch is less than this many times the duration of an overlap,
	 * the watch ends without an overlap.
	 */
	private static final int SHORTEST_WATCH = 4;

	/**
	 * How long to wait before replacing a watch that delivers more than the source
	 * requests. Since slots are given up one after the other, the source may soon request
	 * even less.
	 */
	private static final Duration NARROWED = Duration.ofSeconds(2);

	private final LoopSetup<T> setup;

	private final Requests<T> requests;

	private final LoopDelays delays;

	private final LoopJournal journal;

	/** The watch that the loop follows, or {@code null} if none is open. */
	private @Nullable Watch<T> current;

	/** The watch that will replace the current one, or {@code null} if none is open. */
	private @Nullable Watch<T> next;

	/**
	 * Why the last watch has ended, or {@code null} if a request other than a watch has
	 * followed.
	 */
	private RequestEnd.@Nullable Reason last;

	/** Whether the source requests fewer objects than the current watch delivers. */
	private boolean narrowed;

	WatchChain(LoopSetup<T> setup, Requests<T> requests, LoopDelays delays, LoopJournal journal) {
		this.setup = setup;
		this.requests = requests;
		this.delays = delays;
		this.journal = journal;
	}

	/**
	 * Opens a watch. Called while no watch is open.
	 * @param activity the number of the watch's activity
	 * @param version the version to begin at
	 * @param sendInitialEvents whether the full state comes first
	 */
	void open(long activity, String version, boolean sendInitialEvents) {
		this.narrowed = false;
		Watch<T> watch = this.requests.watch(activity, version, sendInitialEvents,
				sendInitialEvents ? null : this.last);
		this.current = watch;
		this.last = null;
		this.journal.watchRequested(watch.options());
		if (this.setup.behaviour().endsOverdueWatches()) {
			watch.timers().overdue(watch.options().timeout());
		}
		follow(watch);
		if (sendInitialEvents) {
			watch.timers().remind(WatchProgress.REMINDER);
		}
	}

	/**
	 * Notes that a request other than a watch follows the last watch, so the next watch
	 * is not its successor.
	 */
	void interrupted() {
		this.last = null;
	}

	/** Whether a watch is open. */
	boolean isOpen() {
		return this.current != null;
	}

	/** Returns the watch that is open. */
	Watch<T> current() {
		return Objects.requireNonNull(this.current, "no watch is open");
	}

	/** Whether an activity belongs to the current watch. */
	boolean isCurrent(long activity) {
		return this.current != null && this.current.activity() == activity;
	}

	/** Sets the timer that opens the next watch. */
	private void follow(Watch<T> watch) {
		Duration overlap = this.setup.options().watch().watchOverlap();
		WatchProgress progress = watch.progress();
		if (overlap.isZero() || !this.setup.behaviour().overlapsWatches()
				|| !this.setup.listerWatcher().watchesOverlap()
				|| progress.timeout().compareTo(overlap.multipliedBy(SHORTEST_WATCH)) < 0) {
			return;
		}
		Duration rest = progress.rest().minus(spread(overlap));
		Duration delay = (this.narrowed && rest.compareTo(NARROWED) > 0) ? spread(NARROWED) : rest;
		watch.timers().overlap(delay.isNegative() ? Duration.ZERO : delay);
	}

	/**
	 * Returns a random time between the given time and twice that time, so that clients
	 * that began at the same time do not all reconnect at the same time.
	 */
	private Duration spread(Duration least) {
		return Duration.ofNanos((long) (least.toNanos() * (1 + this.setup.random().nextDouble())));
	}

	/**
	 * Notes that the source requests fewer objects than the current watch delivers. If
	 * watches may overlap, the next watch is opened soon. If not, the current watch
	 * continues until it ends.
	 */
	void narrow() {
		this.narrowed = true;
		if (this.current != null && this.next == null) {
			follow(this.current);
		}
	}

	/** Notes that the stream has delivered the full state, and continues as a watch. */
	void inherit() {
		current().inherit();
		if (this.narrowed) {
			narrow();
		}
	}

	/** Whether the current watch is the only one, and delivers no duplicates. */
	boolean isAlone() {
		return this.next == null && !current().isRepeating();
	}

	/**
	 * Whether the next watch can be opened, which is not the case while the current watch
	 * delivers duplicates. Called when the next watch is due.
	 */
	boolean canFollow() {
		if (current().isRepeating() && this.narrowed) {
			follow(current());
		}
		return !current().isRepeating();
	}

	/**
	 * Opens the next watch.
	 * @param activity the number of the new watch's activity, which the messages of the
	 * watch contain
	 * @param version the version that the current watch has reached
	 */
	void openNext(long activity, String version) {
		this.narrowed = false;
		Watch<T> next = this.requests.watch(activity, version, false, null);
		this.next = next;
		this.journal.watchRequested(next.options());
		next.timers().settle(WatchProgress.REMINDER);
	}

	/** Whether an activity belongs to the next watch. */
	boolean isNext(long activity) {
		return this.next != null && this.next.activity() == activity;
	}

	private Watch<T> next() {
		return Objects.requireNonNull(this.next, "no next watch is open");
	}

	/**
	 * Handles a result of the next watch.
	 * @param result the result
	 * @param version the version that the current watch has reached
	 * @return the signal that follows, or {@code null} for none. If the result is a frame
	 * and completes the overlap, the caller must still handle this frame, as the first
	 * one of the new current watch
	 */
	@Nullable LoopSignal receive(LoopMessage.Result<T> result, String version) {
		Watch<T> next = next();
		if (result instanceof LoopMessage.Settled<T> && !next.isOpened()) {
			this.journal.overlapUnanswered();
			next.timers().settle(WatchProgress.REMINDER);
			return null;
		}
		if (result instanceof LoopMessage.Settled<T>) {
			// if only the current watch has delivered something, the next watch lags
			// behind
			return version.equals(next.begin()) ? new LoopSignal.OverlapComplete() : null;
		}
		if (result instanceof LoopMessage.Failed<T> failed) {
			return failed(Failure.of(failed.error()));
		}
		if (result instanceof LoopMessage.Closed<T> closed) {
			next.notes().closed(closed.overdue());
		}
		if (!(result instanceof LoopMessage.ReceivedFrame<T> frame)) {
			return useless();
		}
		if (frame.event() instanceof WatchEvent.Error<T> error) {
			return failed(Failure.of(error.status()));
		}
		if (frame.event() instanceof WatchEvent.Opened<T>) {
			next.opened();
			next.timers().settle(WatchProgress.BRIEF);
			next.consumed();
			return null;
		}
		if (WatchReader.isVersionless(frame.event())) {
			next.consumed();
			return null;
		}
		return switch (standing(frame.event(), version, next)) {
			case KNOWN -> {
				next.consumed();
				yield null;
			}
			case LEVEL, NEW -> new LoopSignal.OverlapComplete();
			case UNCLEAR -> useless();
		};
	}

	/**
	 * Notes that the next watch has failed. The next request then waits for the delay of
	 * this failure, even if the current watch ends earlier.
	 */
	private LoopSignal failed(Failure failure) {
		next().notes().failed(failure);
		this.delays.hold(failure);
		return new LoopSignal.OverlapFailed();
	}

	private LoopSignal useless() {
		this.delays.hold();
		return new LoopSignal.OverlapFailed();
	}

	/**
	 * Ends an overlap: replaces the current watch by the next watch, or closes the next
	 * watch.
	 * @param failed whether the next watch has failed and must be closed
	 * @param version the version that the current watch has reached
	 */
	void endOverlap(boolean failed, String version) {
		if (failed) {
			endNext();
			this.journal.overlapFailed();
		}
		else {
			takeOver(version);
		}
	}

	private void takeOver(String version) {
		current().notes().replaced();
		current().end();
		Watch<T> watch = next();
		this.current = watch;
		this.next = null;
		watch.follow(version);
		watch.timers().cancel();
		watch.timers().overdue(watch.progress().rest());
		follow(watch);
		if (watch.isOpened()) {
			watch.timers().settle(WatchProgress.BRIEF);
		}
		this.journal.handedOver(version);
	}

	/** Closes all watches. */
	void end() {
		if (this.current != null) {
			this.last = this.current.end();
			this.current = null;
		}
		endNext();
	}

	private void endNext() {
		if (this.next != null) {
			this.next.end();
			this.next = null;
		}
	}

	/**
	 * Compares a frame of the current watch with the last known version.
	 * @param event the frame
	 * @param version the last known version
	 * @return how they compare
	 */
	Standing standing(WatchEvent<T> event, String version) {
		Watch<T> watch = current();
		return watch.isRepeating() ? standing(event, version, watch) : Standing.NEW;
	}

	private Standing standing(WatchEvent<T> event, String version, Watch<T> watch) {
		String other = version(event);
		boolean comparable = ResourceVersions.isWellFormed(version) && ResourceVersions.isWellFormed(other);
		// E-14: a watch cannot be at an older version than the one that it began at
		boolean wentBack = event instanceof WatchEvent.Bookmark<T> && ResourceVersions.isGreater(watch.begin(), other);
		if (!comparable || wentBack) {
			return Standing.UNCLEAR;
		}
		int order = ResourceVersions.compare(other, version);
		return (order < 0) ? Standing.KNOWN : (order == 0) ? Standing.LEVEL : Standing.NEW;
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

	/** How the version of a frame compares with the last known version. */
	enum Standing {

		/**
		 * Older than the last known version: the previous watch has delivered this frame.
		 */
		KNOWN,

		/** At the last known version. */
		LEVEL,

		/**
		 * Newer than the last known version, or from a watch that delivers no duplicates.
		 */
		NEW,

		/**
		 * The version of the frame cannot be compared (W-69), or the server has gone back
		 * to an older state.
		 */
		UNCLEAR

	}

}
