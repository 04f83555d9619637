package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.config.ListSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.internal.loop.LoopSignal.Closed;
import dev.reflector.cache.internal.loop.LoopSignal.DelayElapsed;
import dev.reflector.cache.internal.loop.LoopSignal.ErrorFrame;
import dev.reflector.cache.internal.loop.LoopSignal.Failed;
import dev.reflector.cache.internal.loop.LoopSignal.Listed;
import dev.reflector.cache.internal.loop.LoopSignal.Lost;
import dev.reflector.cache.internal.loop.LoopSignal.OverlapComplete;
import dev.reflector.cache.internal.loop.LoopSignal.OverlapDue;
import dev.reflector.cache.internal.loop.LoopSignal.OverlapFailed;
import dev.reflector.cache.internal.loop.LoopSignal.PauseRequested;
import dev.reflector.cache.internal.loop.LoopSignal.RelistRequested;
import dev.reflector.cache.internal.loop.LoopSignal.Restored;
import dev.reflector.cache.internal.loop.LoopSignal.ResumeRequested;
import dev.reflector.cache.internal.loop.LoopSignal.Started;
import dev.reflector.cache.internal.loop.LoopSignal.StopRequested;
import dev.reflector.cache.internal.loop.LoopSignal.StreamStuck;
import dev.reflector.cache.internal.loop.LoopSignal.StreamedToEnd;
import dev.reflector.cache.internal.loop.LoopSignal.TypeAppeared;
import dev.reflector.cache.internal.loop.LoopState.AwaitingType;
import dev.reflector.cache.internal.loop.LoopState.BackingOff;
import dev.reflector.cache.internal.loop.LoopState.Listing;
import dev.reflector.cache.internal.loop.LoopState.Overlapping;
import dev.reflector.cache.internal.loop.LoopState.Paused;
import dev.reflector.cache.internal.loop.LoopState.Polling;
import dev.reflector.cache.internal.loop.LoopState.Spacing;
import dev.reflector.cache.internal.loop.LoopState.Stopped;
import dev.reflector.cache.internal.loop.LoopState.Streaming;
import dev.reflector.cache.internal.loop.LoopState.Watching;
import dev.reflector.cache.internal.store.ResourceVersions;
import org.jspecify.annotations.Nullable;

/**
 * The state table of the list/watch loop, as one function without side effects.
 *
 * @param options the options
 * @param behaviour whether the reflector keeps or avoids known defects of client-go
 */
record LoopTransitions(ReflectorOptions options, ReflectorBehaviour behaviour) {

	private static final int INCOMPLETE_STREAMS_BEFORE_LIST = 2;

	private static final int BRIEF_WATCHES_BEFORE_LIST = 3;

	/**
	 * Finds the next step.
	 * @param state the current state
	 * @param signal the signal
	 * @param memory the memory of the loop
	 * @return the next step; its state is unchanged if the signal has no effect in the
	 * current state
	 */
	Step next(LoopState state, LoopSignal signal, LoopMemory memory) {
		if (signal instanceof StopRequested) {
			return new Step(new Stopped(), memory, null);
		}
		if (signal instanceof PauseRequested) {
			return new Step(new Paused(fullStateDue(state)), memory, null);
		}
		if (signal instanceof Started) {
			return new Step(fullState(memory), memory, null);
		}
		if (signal instanceof Restored) {
			return new Step(new Watching(false), memory, null);
		}
		if (signal instanceof RelistRequested relist) {
			return relist(state, relist, relist.newest() ? memory.withVersionUnavailable() : memory);
		}
		if (signal instanceof Lost lost) {
			return afterLoss(state, lost.failure(), memory);
		}
		if (state instanceof Streaming streaming) {
			return fromStreaming(streaming, signal, memory);
		}
		if (state instanceof Listing listing) {
			return fromListing(listing, signal, memory);
		}
		if (state instanceof Watching watching) {
			return fromWatching(watching, signal, memory);
		}
		if (state instanceof Overlapping overlapping) {
			return fromOverlapping(overlapping, signal, memory);
		}
		if (signal instanceof DelayElapsed && state instanceof BackingOff backingOff) {
			return new Step(renewed(backingOff.next(), memory), memory, null);
		}
		if (state instanceof AwaitingType awaiting) {
			return fromAwaitingType(awaiting, signal, memory);
		}
		if (signal instanceof DelayElapsed && state instanceof Polling) {
			return new Step(list(memory), memory, null);
		}
		if (signal instanceof DelayElapsed && state instanceof Spacing spacing) {
			return new Step(spacing.next(), memory, null);
		}
		if (signal instanceof ResumeRequested && state instanceof Paused paused) {
			boolean watch = memory.synced() && !paused.fullStateDue();
			return new Step(watch ? new Watching(false) : fullState(memory), memory, null);
		}
		return new Step(state, memory, null);
	}

	private Step relist(LoopState state, RelistRequested relist, LoopMemory memory) {
		if (state instanceof Paused) {
			return new Step(new Paused(true), memory, null);
		}
		boolean busy = state instanceof Listing || state instanceof Streaming;
		if (busy && relist.restarted()) {
			return new Step(fullState(memory), memory, null);
		}
		return busy ? new Step(state, memory, null) : new Step(fullState(memory), memory, RelistReason.REQUESTED);
	}

	/**
	 * Handles the loss of a change: only a full state shows what was missed (E-10). If a
	 * full state is already being read, nothing more is needed.
	 */
	private Step afterLoss(LoopState state, Failure failure, LoopMemory memory) {
		if (state instanceof Paused) {
			return new Step(new Paused(true), memory, null);
		}
		return state.following() ? ended(RelistReason.WATCH_ERROR, failure, memory) : new Step(state, memory, null);
	}

	private Step fromAwaitingType(AwaitingType state, LoopSignal signal, LoopMemory memory) {
		if (signal instanceof TypeAppeared) {
			// waits first, because the announcement may be wrong, maybe several times in
			// a row
			return new Step(new Spacing(renewed(state.next(), memory), true), memory, null);
		}
		// E-21: makes a request after the delay, because the announcement may never come
		return new Step((signal instanceof DelayElapsed) ? renewed(state.next(), memory) : state, memory, null);
	}

	private static boolean fullStateDue(LoopState state) {
		if (state instanceof BackingOff backingOff) {
			return fullStateDue(backingOff.next());
		}
		if (state instanceof Spacing spacing) {
			return fullStateDue(spacing.next());
		}
		return state instanceof Listing || state instanceof Streaming || state instanceof AwaitingType
				|| state instanceof Polling || (state instanceof Paused paused && paused.fullStateDue());
	}

	private Step fromStreaming(Streaming state, LoopSignal signal, LoopMemory memory) {
		if (signal instanceof StreamedToEnd) {
			return new Step(new Watching(true), memory.withStreamed(), null);
		}
		if (signal instanceof StreamStuck) {
			LoopMemory next = memory.with(memory.streams().stuck());
			return new Step(list(next), next, null);
		}
		if (signal instanceof Failed failed) {
			return streamFailed(state, failed.failure(), memory);
		}
		if (signal instanceof ErrorFrame error) {
			return streamFailed(state, error.failure(), memory);
		}
		if (signal instanceof Closed closed) {
			return streamClosed(state, closed, memory);
		}
		return new Step(state, memory, null);
	}

	private Step streamClosed(Streaming state, Closed closed, LoopMemory memory) {
		boolean brief = closed.brief() && closed.empty();
		if (!this.behaviour.givesUpStreams()) {
			// the stream is requested again, or a list follows a very short stream
			Streaming again = new Streaming(state.resourceVersion(), state.incomplete() + 1);
			return new Step(brief ? list(memory) : again, memory, null);
		}
		return incomplete(state, brief, memory);
	}

	/**
	 * Handles a stream that ended without its end marker: tries another stream, or lists
	 * instead, so that such streams do not repeat forever (E-01).
	 */
	private Step incomplete(Streaming state, boolean hopeless, LoopMemory memory) {
		Streaming again = new Streaming(state.resourceVersion(), state.incomplete() + 1);
		if (hopeless || again.incomplete() >= INCOMPLETE_STREAMS_BEFORE_LIST) {
			LoopMemory next = memory.with(memory.streams().incomplete());
			return new Step(list(next), next, null);
		}
		return new Step(new BackingOff(again, Duration.ZERO), memory, null);
	}

	private Step streamFailed(Streaming state, Failure failure, LoopMemory memory) {
		if (failure.typeNotServed() || failure.tooMuch()) {
			return ended(RelistReason.LIST_FAILED, failure, memory);
		}
		if (failure.unanswered() && this.behaviour.givesUpStreams()) {
			// E-01: a proxy may block streams but let lists through
			return incomplete(state, false, memory);
		}
		if (retriable(failure)) {
			return new Step(new BackingOff(state, failure.retryAfter()), memory, null);
		}
		if (failure.versionUnavailable() && !state.resourceVersion().isEmpty()) {
			return new Step(new Streaming("", state.incomplete()), memory.withVersionUnavailable(), null);
		}
		// after any other failure a list may still work
		LoopMemory next = (failure.refusesStreaming() && this.behaviour.givesUpStreams())
				? memory.with(memory.streams().asRefused()) : memory;
		return new Step(list(next), next, null);
	}

	private Step fromListing(Listing state, LoopSignal signal, LoopMemory memory) {
		if (signal instanceof Listed listed) {
			// only a list that was requested at version "0" shows whether the
			// server splits lists
			boolean anyVersion = state.resourceVersion().equals("0");
			return new Step(new Watching(false), memory.withListed(anyVersion && listed.paginated()), null);
		}
		if (signal instanceof Failed failed) {
			Failure failure = failed.failure();
			if (!failed.firstPage() && failure.expiredToken() && state.limit() != 0) {
				// reading the pages took too long, so request everything in one
				// answer. This also shows that the server splits lists
				LoopMemory next = state.resourceVersion().equals("0") ? memory.withPaginated() : memory;
				return new Step(new Listing(state.resourceVersion(), 0, state.lastTry()), next, null);
			}
			if (failure.versionUnavailable() && !state.lastTry()) {
				// list again at once, at the newest version
				return new Step(new Listing("", state.limit(), true), memory.withVersionUnavailable(), null);
			}
			return ended(RelistReason.LIST_FAILED, failure, memory);
		}
		return new Step(state, memory, null);
	}

	private Step fromWatching(Watching state, LoopSignal signal, LoopMemory memory) {
		if (signal instanceof Failed failed) {
			Failure failure = failed.failure();
			if (failure.watchNotSupported()) {
				// E-40: polls after a list, and otherwise lists first
				return new Step(memory.watches().fresh() ? new Polling() : list(memory), memory, null);
			}
			if (failure.code() == 401 && this.behaviour.repeatsWatches()) {
				// rejected credentials do not mean that the version has expired, and a
				// list needs credentials, too
				return new Step(new BackingOff(new Watching(false), patience(failure)), memory, null);
			}
			// a 410 here does not make the version unavailable
			return retriable(failure) ? again(failure, memory) : watchEnded(RelistReason.WATCH_FAILED, failure, memory);
		}
		if (signal instanceof ErrorFrame error) {
			Failure failure = error.failure();
			if (failure.status() != null && failure.status().isTooManyRequests()) {
				return again(failure, memory);
			}
			if (error.windowOpen()) {
				// within the time window, an internal error does not lead to a list
				return this.behaviour.delaysAfterInternalErrors() ? again(failure, memory)
						: new Step(new Watching(false), memory, null);
			}
			if (malformedFirst(failure, memory)) {
				return again(failure, memory.with(memory.watches().malformed(memory.lastSyncVersion())));
			}
			return watchEnded(RelistReason.WATCH_ERROR, failure, memory);
		}
		if (signal instanceof Closed closed) {
			return watchClosed(state, closed, memory);
		}
		// W-69: the overlap needs versions that can be compared
		if (signal instanceof OverlapDue && ResourceVersions.isWellFormed(memory.lastSyncVersion())) {
			return new Step(new Overlapping(state), memory, null);
		}
		return new Step(state, memory, null);
	}

	private Step fromOverlapping(Overlapping state, LoopSignal signal, LoopMemory memory) {
		if (signal instanceof OverlapComplete || signal instanceof Closed) {
			// the expected end: the next watch takes over
			return new Step(new Watching(true), memory.with(LoopMemory.Watches.NONE), null);
		}
		if (signal instanceof OverlapFailed) {
			// a lasting failure is handled when the current watch ends
			return new Step(state.present(), memory, null);
		}
		boolean broken = signal instanceof Failed || signal instanceof ErrorFrame;
		return broken ? fromWatching(state.present(), signal, memory) : new Step(state, memory, null);
	}

	/**
	 * Whether the bytes of a watch are malformed for the first time after the last
	 * version (W-32). If the bytes were damaged in transit, they arrive intact on a new
	 * watch. If they are malformed again, only a list can get past them.
	 */
	private boolean malformedFirst(Failure failure, LoopMemory memory) {
		return failure.malformed() && this.behaviour.repeatsWatches() && !memory.lastSyncVersion().isEmpty()
				&& !memory.lastSyncVersion().equals(memory.watches().malformedAt());
	}

	private static Step again(Failure failure, LoopMemory memory) {
		return new Step(new BackingOff(new Watching(false), failure.retryAfter()), memory, null);
	}

	private Step watchEnded(RelistReason end, Failure failure, LoopMemory memory) {
		if (failure.expired()) {
			// after an expired watch, list at the last version, not at the newest
			LoopMemory next = memory.with(memory.watches().andExpired());
			// E-38: a stuck cache answers every list except a consistent list
			boolean newest = memory.watches().expiresAgain() && this.behaviour.adaptsLists();
			return ended(RelistReason.EXPIRED, failure, newest ? next.withVersionUnavailable() : next);
		}
		return ended(end, failure, memory);
	}

	private Step watchClosed(Watching state, Closed closed, LoopMemory memory) {
		LoopMemory lasted = memory.with(LoopMemory.Watches.NONE);
		if (this.behaviour.listsAfterShortWatch()) {
			// the pass ends after a very short watch without an event, and
			// otherwise the watch is requested again
			return (closed.brief() && closed.empty()) ? ended(RelistReason.VERY_SHORT_WATCH, null, lasted)
					: new Step(new Watching(false), lasted, null);
		}
		if (!closed.brief()) {
			// E-07: many clients may have lost their watches at once, and must not all
			// reconnect at once
			return new Step(closed.early() ? new Spacing(new Watching(false), false) : new Watching(false), lasted,
					null);
		}
		if (!closed.empty() || state.inherited()) {
			// E-34: a stream that delivered the full state counts as success, even if it
			// was short
			return new Step(new Spacing(new Watching(false), true), lasted, null);
		}
		LoopMemory next = memory.with(memory.watches().andBrief());
		if (next.watches().brief() >= BRIEF_WATCHES_BEFORE_LIST) {
			return ended(RelistReason.VERY_SHORT_WATCH, null, next);
		}
		// E-03: one watch that a proxy drops is no reason to list everything
		return new Step(new BackingOff(new Watching(false), Duration.ZERO), next, null);
	}

	private Step ended(RelistReason end, @Nullable Failure failure, LoopMemory memory) {
		if (failure != null && failure.typeNotServed()) {
			return new Step(new AwaitingType(fullState(memory)), memory, end);
		}
		Duration atLeast = (failure != null) ? patience(failure) : Duration.ZERO;
		// a delay after every pass, failed or not
		return new Step(new BackingOff(fullState(memory), atLeast), memory, end);
	}

	/** Returns the shortest delay after a failure. */
	private Duration patience(Failure failure) {
		if (!failure.refusal() || !this.behaviour.delaysByCause()) {
			return failure.retryAfter();
		}
		Duration patience = this.options.backoff().max().dividedBy(3);
		return (failure.retryAfter().compareTo(patience) > 0) ? failure.retryAfter() : patience;
	}

	private boolean retriable(Failure failure) {
		return failure.retriable()
				&& (this.behaviour.repeatsWatches() || !failure.transport() || failure.connectionRefused());
	}

	private LoopState renewed(LoopState next, LoopMemory memory) {
		// the full state to request is chosen again after the delay, because the memory
		// may have changed
		boolean fullState = next instanceof Listing
				|| (next instanceof Streaming streaming && streaming.incomplete() == 0);
		return fullState ? fullState(memory) : next;
	}

	private LoopState fullState(LoopMemory memory) {
		boolean stream = switch (this.options.list().initialList()) {
			// E-16: a stream contains both the state and the changes, so no version can
			// expire between them
			case AUTO -> !memory.streams().refused() && (memory.streams().skip() == 0 || memory.watches().outrun());
			case STREAM -> true;
			case LIST -> false;
		};
		// a stream never begins at version "0"
		return stream ? new Streaming(memory.versionUnavailable() ? "" : memory.lastSyncVersion(), 0) : list(memory);
	}

	private Listing list(LoopMemory memory) {
		// not older than the last version; the first list may be of any version,
		// unless the options require the newest
		String version = memory.lastSyncVersion();
		if (version.isEmpty() && !this.options.list().consistentFirstList()) {
			version = "0";
		}
		if (memory.versionUnavailable()) {
			version = "";
		}
		// if the version is unavailable, this list is already the consistent one
		return new Listing(version, limit(version, memory), memory.versionUnavailable());
	}

	private int limit(String version, LoopMemory memory) {
		if (memory.watches().outrun() && this.behaviour.adaptsLists()) {
			// E-16: pages take too long; without a limit, the watch cache answers at once
			return 0;
		}
		// the configured size, or else 500; a list at a known version has pages
		// only if the server has split a list before
		if (this.options.list().pageSize() != 0) {
			return this.options.list().pageSize();
		}
		if (memory.paginated()) {
			return ListSettings.DEFAULT_PAGE_SIZE;
		}
		return (version.isEmpty() || version.equals("0")) ? ListSettings.DEFAULT_PAGE_SIZE : 0;
	}

	/**
	 * The result of a transition.
	 *
	 * @param next the next state
	 * @param memory the memory after the transition
	 * @param ended why the pass (a full state and the watch after it) has ended, or
	 * {@code null} if it continues
	 */
	record Step(LoopState next, LoopMemory memory, @Nullable RelistReason ended) {

	}

}
