package dev.reflector.cache.internal.loop;

import java.time.Duration;

/**
 * The states of the list/watch loop (section 2.3), each with the data it needs. Entering
 * a state starts its work; the work ends in a {@link LoopSignal}.
 */
sealed interface LoopState {

	/** Whether it is part of following changes, or of waiting to go on with that. */
	default boolean following() {
		return false;
	}

	/**
	 * Whether it goes on with what the state before has opened, so that nothing is to be
	 * closed.
	 * @param before the state before
	 */
	default boolean continues(LoopState before) {
		return false;
	}

	/** Ended for good. */
	record Stopped() implements LoopState {

	}

	/**
	 * Held until resumed.
	 *
	 * @param fullStateDue whether a full state was being got, or has been asked for since
	 */
	record Paused(boolean fullStateDue) implements LoopState {

	}

	/**
	 * Getting the full state as the initial part of a watch (WL-OPEN and WL-STREAM).
	 *
	 * @param resourceVersion the version asked for, empty for the newest state
	 * @param incomplete how many streams of this pass ended before the end marker
	 */
	record Streaming(String resourceVersion, int incomplete) implements LoopState {

	}

	/**
	 * Getting the full state by a list.
	 *
	 * @param resourceVersion the version asked for
	 * @param limit page size, 0 for none
	 * @param lastTry whether this is the second, consistent try of R-25
	 */
	record Listing(String resourceVersion, int limit, boolean lastTry) implements LoopState {

	}

	/**
	 * Following changes (WATCH-OPEN and WATCH-STREAM).
	 *
	 * @param inherited whether the stream is there already: the one that brought the full
	 * state, or one that was opened before the one before it ended
	 */
	record Watching(boolean inherited) implements LoopState {

		@Override
		public boolean following() {
			return true;
		}

		@Override
		public boolean continues(LoopState before) {
			return this.inherited || (before instanceof Overlapping overlapping && overlapping.present() == this);
		}

	}

	/**
	 * Following changes while the next watch is being opened, before the present one ends
	 * (make before break). Returning to the very state it came from means that the
	 * present watch goes on alone.
	 *
	 * @param present the state it came from
	 */
	record Overlapping(Watching present) implements LoopState {

		@Override
		public boolean following() {
			return true;
		}

		@Override
		public boolean continues(LoopState before) {
			return before == this.present;
		}

	}

	/**
	 * Waiting before the next attempt.
	 *
	 * @param next what comes after the delay
	 * @param atLeast how long the server asks to wait
	 */
	record BackingOff(LoopState next, Duration atLeast) implements LoopState {

		@Override
		public boolean following() {
			return this.next.following();
		}

	}

	/**
	 * Waiting until the server serves the type.
	 *
	 * @param next what comes then
	 */
	record AwaitingType(LoopState next) implements LoopState {

	}

	/**
	 * Keeping a distance between two watches after one that ended normally. No failure.
	 *
	 * @param next what comes after the delay
	 * @param least whether the distance has a least length, as after a short watch
	 * (E-04); else it only keeps many clients from coming back at the same moment (E-07)
	 */
	record Spacing(LoopState next, boolean least) implements LoopState {

		@Override
		public boolean following() {
			return this.next.following();
		}

	}

}
