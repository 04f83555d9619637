package dev.reflector.cache.internal.loop;

import java.time.Duration;

/**
 * The states of the list/watch loop, each with the data it needs. The work of a state
 * begins when the loop enters the state, and ends with a {@link LoopSignal}.
 */
sealed interface LoopState {

	/**
	 * Whether the loop follows changes in this state, or waits before it continues to
	 * follow them.
	 */
	default boolean following() {
		return false;
	}

	/** Whether the loop waits for the results of a list or watch in this state. */
	default boolean requesting() {
		return reading() || this instanceof Watching || this instanceof Overlapping;
	}

	/** Whether the loop reads a full state in this state. */
	default boolean reading() {
		return this instanceof Streaming || this instanceof Listing;
	}

	/**
	 * Whether this state continues the requests of the previous one, so that they must
	 * not be closed.
	 * @param before the previous state
	 */
	default boolean continues(LoopState before) {
		return false;
	}

	/** Ended for good. */
	record Stopped() implements LoopState {

	}

	/**
	 * Paused until the user resumes.
	 *
	 * @param fullStateDue whether the loop must request a full state when it resumes
	 */
	record Paused(boolean fullStateDue) implements LoopState {

	}

	/**
	 * Reading the full state as the initial part of a watch.
	 *
	 * @param resourceVersion the requested version, empty for the newest state
	 * @param incomplete how many streams of this pass ended before the end marker
	 */
	record Streaming(String resourceVersion, int incomplete) implements LoopState {

	}

	/**
	 * Reading the full state by a list.
	 *
	 * @param resourceVersion the requested version
	 * @param limit the page size, 0 for none
	 * @param lastTry whether this is the last attempt: if the server cannot list at
	 * {@code resourceVersion}, the loop does not list again at the newest version
	 */
	record Listing(String resourceVersion, int limit, boolean lastTry) implements LoopState {

	}

	/**
	 * Following changes.
	 *
	 * @param inherited whether the watch is open already: the stream that delivered the
	 * full state, or a watch that was opened before the previous one ended
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
	 * Following changes while the next watch is being opened, before the current one ends
	 * (make before break). If the loop returns to {@code present}, the current watch
	 * continues alone.
	 *
	 * @param present the state to return to, in which the loop follows the current watch
	 * alone
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
	 * @param next the state after the delay
	 * @param atLeast the shortest delay, such as the time that the server asks to wait
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
	 * @param next the state to enter once the server serves the type
	 */
	record AwaitingType(LoopState next) implements LoopState {

	}

	/** Waiting for the next list, because the type cannot be watched. */
	record Polling() implements LoopState {

		@Override
		public boolean following() {
			return true;
		}

	}

	/**
	 * Waiting before the next watch, after a watch that ended normally. Not a failure.
	 *
	 * @param next the state after the delay
	 * @param least whether the delay has a minimum, as after a short watch (E-04). If
	 * not, the delay only prevents many clients from reconnecting at the same moment
	 * (E-07)
	 */
	record Spacing(LoopState next, boolean least) implements LoopState {

		@Override
		public boolean following() {
			return this.next.following();
		}

	}

}
