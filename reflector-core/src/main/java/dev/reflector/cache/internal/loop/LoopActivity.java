package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.ReflectorState;
import dev.reflector.cache.internal.loop.LoopReporter.Pace;
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
 * Starts the requests and timers of the loop's present state, and ends them with that
 * state. Used by the loop's thread.
 *
 * @param <T> the type of the objects
 */
final class LoopActivity<T> {

	private final LoopSetup<T> setup;

	private final LoopReporter journal;

	private final Requests<T> requests;

	private final LoopTimers<T> timers;

	private final LoopDelays delays;

	private final WatchChain<T> chain;

	/** Number of the current activity; a result with another number is stale. */
	private long number;

	/** The greatest number of an activity so far. */
	private long last;

	LoopActivity(LoopSetup<T> setup, LoopReporter journal, Requests<T> requests, LoopTimers<T> timers,
			LoopDelays delays, WatchChain<T> chain) {
		this.setup = setup;
		this.journal = journal;
		this.requests = requests;
		this.timers = timers;
		this.delays = delays;
		this.chain = chain;
	}

	long number() {
		return this.number;
	}

	/** Ends all requests and timers. */
	void end() {
		this.number = ++this.last;
		this.timers.cancel();
		this.requests.end();
		this.chain.clear();
	}

	/**
	 * Begins the work of a state, except that of {@link LoopState.BackingOff}.
	 * @param state the state
	 * @param version the loop's last version
	 */
	void begin(LoopState state, String version) {
		if (state instanceof Listing listing) {
			this.journal.state(ReflectorState.LISTING, "listing");
			this.requests.list(this.number, listing.resourceVersion(), listing.limit());
			this.timers.awaitPage(this.number, this.requests.notes());
		}
		else if (state instanceof Streaming streaming) {
			this.journal.state(ReflectorState.LISTING, "streaming the full state");
			this.chain.open(this.number, streaming.resourceVersion(), true);
		}
		else if (state instanceof Watching watching) {
			if (watching.inherited()) {
				this.timers.reminded();
				this.requests.inherit();
				this.chain.inherited(this.number);
			}
			else {
				this.chain.open(this.number, version, false);
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
			this.requests.awaitType(this.number);
			this.timers.elapse(this.number, this.delays.longest());
		}
		else if (state instanceof Polling) {
			Duration interval = this.setup.options().list().pollInterval();
			this.timers.elapse(this.number, interval);
			this.journal.polling(interval, version);
		}
		else if (state instanceof Paused) {
			this.journal.state(ReflectorState.PAUSED, "paused");
		}
	}

	/** Asks for the next page of a list. */
	void nextPage(Listing state, String continueToken) {
		this.requests.nextPage(this.number, state.limit(), continueToken);
		this.timers.awaitPage(this.number, this.requests.notes());
	}

	/** The next watch takes the place of the current one, or is abandoned. */
	void endOverlap(boolean failed, String version) {
		if (failed) {
			this.chain.giveUp();
		}
		else {
			this.number = this.chain.takeOver(version);
		}
	}

	private void space(Spacing state, String version) {
		Failure held = this.delays.heldFor();
		Duration delay = state.least() ? this.delays.spacing() : this.delays.scatter();
		if (held != null) {
			backOff(delay, new BackoffReason(state.next(), new LoopSignal.Failed(held, true), null), null, version);
		}
		else {
			this.timers.elapse(this.number, delay);
		}
	}

	/**
	 * Waits before the next attempt.
	 * @param delay how long
	 * @param backoff why
	 * @param cause the exception of the failure, if there is one
	 * @param version the loop's last version
	 */
	void backOff(Duration delay, BackoffReason backoff, @Nullable Throwable cause, String version) {
		Failure failure = backoff.failure();
		Mono<Void> recovery = (cause != null && !failure.passing()) ? this.setup.listerWatcher().awaitRecovery(cause)
				: null;
		boolean lookedAfter = recovery != null && this.delays.isLookedAfter(failure);
		// E-21: in case the recovery is never announced
		this.timers.elapse(this.number, lookedAfter ? this.delays.longest() : delay);
		if (recovery != null && !this.setup.clientGo() && (lookedAfter || !failure.connectionRefused())) {
			this.requests.awaitRecovery(this.number, recovery);
		}
		this.setup.observer().backingOff(delay, failure.observed());
		this.journal.backingOff(backoff, delay,
				lookedAfter ? Pace.LOOKED_AFTER : this.delays.isSetByServer(failure) ? Pace.SERVER : Pace.GROWING,
				version);
	}

	/**
	 * Logs what an incomplete full state waits for.
	 * @param state the state
	 * @return whether a stream is stuck, so that waiting is of no use
	 */
	boolean remind(LoopState state) {
		long now = this.setup.time().nanoTime();
		WatchProgress progress = this.requests.progress();
		String waitsFor = this.requests.notes().waitsFor();
		if (waitsFor != null) {
			this.journal.notSent(waitsFor);
		}
		else if (state instanceof Listing) {
			this.journal.pageAwaited(this.requests.notes());
		}
		else if (this.setup.clientGo()) {
			this.journal.endMarkerAwaited(progress.overdueMarker(now));
		}
		else if (progress.isStuck(now)) {
			this.journal.streamStuck(progress.missingMarker(now));
			return true;
		}
		else {
			this.journal.endMarkerAwaited(progress.missingMarker(now));
		}
		this.timers.remind(this.number, WatchProgress.REMINDER);
		return false;
	}

	/**
	 * The server has accepted a watch, which counts as working once it has lasted a
	 * second.
	 */
	void settle() {
		this.timers.settle(this.number, WatchProgress.BRIEF);
	}

}
