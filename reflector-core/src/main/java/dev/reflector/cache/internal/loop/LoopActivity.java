package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.ReflectorState;
import dev.reflector.cache.internal.loop.LoopJournal.Pace;
import dev.reflector.cache.internal.loop.LoopState.AwaitingType;
import dev.reflector.cache.internal.loop.LoopState.Listing;
import dev.reflector.cache.internal.loop.LoopState.Overlapping;
import dev.reflector.cache.internal.loop.LoopState.Paused;
import dev.reflector.cache.internal.loop.LoopState.Polling;
import dev.reflector.cache.internal.loop.LoopState.Spacing;
import dev.reflector.cache.internal.loop.LoopState.Streaming;
import dev.reflector.cache.internal.loop.LoopState.Watching;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Starts the requests and timers of the loop's current state, and ends them when the loop
 * leaves the state. Used by the loop's thread.
 *
 * @param <T> the type of the objects
 */
final class LoopActivity<T> {

	/** How often a page of a list is requested again, as in client-go. */
	private static final int MAX_REPEATS = 10;

	/**
	 * The longest wait before a page is requested again. After ten such waits, the page
	 * has taken about as long as any page may take.
	 */
	private static final Duration MAX_WAIT = LoopTimers.PAGE.dividedBy(MAX_REPEATS);

	private final LoopSetup<T> setup;

	private final LoopJournal journal;

	private final Requests<T> requests;

	private final Mailbox<T> mailbox;

	private final LoopDelays delays;

	private final WatchChain<T> chain;

	/** The timers of activities other than watches. */
	private LoopTimers<T> timers;

	/**
	 * The largest activity number used so far. While no watch is open, this is the number
	 * of the current activity.
	 */
	private long last;

	/** The continue token of the last page of a list that was requested. */
	private String continueToken = "";

	/** How often this page was refused, and is requested again. */
	private int repeats;

	LoopActivity(LoopSetup<T> setup, LoopJournal journal, Requests<T> requests, Mailbox<T> mailbox, LoopDelays delays,
			WatchChain<T> chain) {
		this.setup = setup;
		this.journal = journal;
		this.requests = requests;
		this.mailbox = mailbox;
		this.delays = delays;
		this.chain = chain;
		this.timers = timers();
	}

	private LoopTimers<T> timers() {
		return new LoopTimers<>(this.setup.time(), this.mailbox, this.last);
	}

	/** Whether an activity is the current one. The results of all others are stale. */
	boolean isCurrent(long activity) {
		return this.chain.isOpen() ? this.chain.isCurrent(activity) : activity == this.last;
	}

	/** Ends all requests and timers. */
	void end() {
		this.last++;
		this.timers.cancel();
		this.timers = timers();
		this.requests.end();
		this.chain.end();
	}

	/**
	 * Begins the work of a state other than {@link LoopState.BackingOff}.
	 * @param state the state
	 * @param version the loop's last version
	 */
	void begin(LoopState state, String version) {
		if (state instanceof Listing listing) {
			this.journal.state(ReflectorState.LISTING, "listing");
			this.chain.interrupted();
			this.requests.list(this.last, listing.resourceVersion(), listing.limit());
			this.timers.awaitPage(this.requests.notes());
		}
		else if (state instanceof Streaming streaming) {
			this.journal.state(ReflectorState.LISTING, "streaming the full state");
			this.chain.open(this.last, streaming.resourceVersion(), true);
		}
		else if (state instanceof Watching watching) {
			if (watching.inherited()) {
				this.chain.inherit();
			}
			else {
				this.chain.open(this.last, version, false);
			}
			this.journal.state(ReflectorState.WATCHING, "watching");
		}
		else if (state instanceof Overlapping) {
			this.chain.openNext(++this.last, version);
		}
		else if (state instanceof Spacing spacing) {
			space(spacing, version);
		}
		else if (state instanceof AwaitingType) {
			this.timers.elapse(this.delays.longest());
			this.requests.awaitType(this.last);
		}
		else if (state instanceof Polling) {
			Duration interval = this.setup.options().list().pollInterval();
			this.timers.elapse(interval);
			this.journal.polling(interval, version);
		}
		else if (state instanceof Paused) {
			this.journal.state(ReflectorState.PAUSED, "paused");
		}
	}

	/** Requests the next page of a list. */
	void nextPage(Listing state, String continueToken) {
		this.continueToken = continueToken;
		this.repeats = 0;
		requestPage(state);
	}

	/** Requests the page with the last continue token, perhaps not for the first time. */
	void requestPage(Listing state) {
		this.requests.nextPage(this.last, state.limit(), this.continueToken);
		this.timers.awaitPage(this.requests.notes());
	}

	/**
	 * Sets the timer that requests a later page of a list again, if the server has
	 * refused it and asks to wait. The earlier pages are kept: if each refusal ended the
	 * list, a server that throttles some of many pages would never send them all.
	 * @param failure the failure of the page
	 * @return {@code false} if the list has failed, and no timer is set
	 */
	boolean repeatsPage(Failure failure) {
		boolean repeated = failure.asksToWait() && failure.retryAfter().compareTo(MAX_WAIT) <= 0
				&& this.repeats < MAX_REPEATS;
		if (!repeated) {
			return false;
		}
		this.repeats++;
		Duration delay = this.delays.after(failure, failure.retryAfter());
		// a new activity, because a timer of the refused request may have elapsed already
		this.last++;
		this.timers.cancel();
		this.timers = timers();
		this.timers.elapse(delay);
		this.journal.pageRefused(failure, delay, this.repeats == 1);
		return true;
	}

	private void space(Spacing state, String version) {
		Failure held = this.delays.heldFor();
		Duration delay = state.least() ? this.delays.spacing() : this.delays.scatter();
		if (held != null) {
			backOff(delay, new BackoffReason(state.next(), new LoopSignal.Failed(held, true), null), version);
		}
		else {
			this.timers.elapse(delay);
		}
	}

	/**
	 * Waits before the next attempt.
	 * @param delay how long to wait
	 * @param backoff the reason for the wait
	 * @param version the loop's last version
	 */
	void backOff(Duration delay, BackoffReason backoff, String version) {
		Failure failure = backoff.failure();
		Throwable cause = backoff.cause();
		Mono<Void> recovery = (cause != null && !failure.passing()) ? recovery(cause) : null;
		boolean lookedAfter = recovery != null && this.delays.isLookedAfter(failure);
		// E-21: the timer applies in case the recovery is never announced
		this.timers.elapse(lookedAfter ? this.delays.longest() : delay);
		this.journal.backingOff(backoff, delay,
				lookedAfter ? Pace.LOOKED_AFTER : this.delays.isSetByServer(failure) ? Pace.SERVER : Pace.GROWING,
				version);
		// last, because it may throw errors of the virtual machine
		if (recovery != null && this.setup.behaviour().delaysByCause()
				&& (lookedAfter || !failure.connectionRefused())) {
			this.requests.awaitRecovery(this.last, recovery);
		}
	}

	/**
	 * Asks the source for a signal that another attempt may succeed. If the source
	 * throws, the loop waits for the whole delay.
	 */
	private @Nullable Mono<Void> recovery(Throwable cause) {
		try {
			return this.setup.listerWatcher().awaitRecovery(cause);
		}
		catch (Throwable ex) {
			this.journal.recoveryUnknown(ex);
			return null;
		}
	}

	/** Returns the progress of the list or watch that is open. */
	RequestProgress notes() {
		return this.chain.isOpen() ? this.chain.current().notes() : this.requests.notes();
	}

	/** Notes the failure that ends the open list or watch, if one is open. */
	void failed(Failure failure) {
		if (this.chain.isOpen()) {
			notes().failed(failure);
		}
		else {
			this.requests.failed(failure);
		}
	}

	/**
	 * Logs that a page of a list is still incomplete, and sets the timer of the next
	 * reminder.
	 */
	void remindOfPage() {
		if (!isWaiting()) {
			this.journal.pageAwaited(this.requests.notes());
		}
		this.timers.remind(WatchProgress.REMINDER);
	}

	private boolean isWaiting() {
		String waitsFor = notes().waitsFor();
		if (waitsFor != null) {
			this.journal.notSent(waitsFor);
		}
		return waitsFor != null;
	}

	/**
	 * Logs what a streamed full state is waiting for, and sets the timer of the
	 * next reminder.
	 * @return {@code true} if the stream is stuck, so that waiting longer is useless and
	 * no timer is set
	 */
	boolean remindOfMarker() {
		WatchProgress progress = this.chain.current().progress();
		if (!isWaiting()) {
			if (!this.setup.behaviour().givesUpStreams()) {
				this.journal.endMarkerAwaited(progress.overdueMarker());
			}
			else if (progress.isStuck()) {
				this.journal.streamStuck(progress.missingMarker());
				return true;
			}
			else {
				this.journal.endMarkerAwaited(progress.missingMarker());
			}
		}
		this.chain.current().timers().remind(WatchProgress.REMINDER);
		return false;
	}

}
