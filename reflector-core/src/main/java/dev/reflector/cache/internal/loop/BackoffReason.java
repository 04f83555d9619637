package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.handler.RelistReason;
import org.jspecify.annotations.Nullable;

/**
 * The reason why the loop waits before its next attempt.
 *
 * @param state the state in which a request failed or a watch ended
 * @param signal the signal that ended the state
 * @param ended why the pass (a full state and the watch after it) has ended, or
 * {@code null} if it continues
 */
record BackoffReason(LoopState state, LoopSignal signal, @Nullable RelistReason ended) {

	Failure failure() {
		if (this.signal instanceof LoopSignal.Failed failed) {
			return failed.failure();
		}
		if (this.signal instanceof LoopSignal.ErrorFrame error) {
			return error.failure();
		}
		if (this.signal instanceof LoopSignal.Lost lost) {
			return lost.failure();
		}
		if (this.state instanceof LoopState.Watching) {
			return new Failure(null, Duration.ZERO, false, "VeryShortWatch",
					"the server closed the watch within a second, without an event");
		}
		return new Failure(null, Duration.ZERO, false, "IncompleteStream",
				"the stream ended before the full state was complete");
	}

	/** Returns the exception of the request, or {@code null} if there is none. */
	@Nullable Throwable cause() {
		return (this.signal instanceof LoopSignal.Failed failed) ? failed.cause() : null;
	}

	String what() {
		if (this.ended == RelistReason.EXPIRED) {
			return "the watch has expired, a new list is needed";
		}
		if (this.signal instanceof LoopSignal.Lost) {
			return "the mirror has missed a change, a new list is needed";
		}
		if (this.state instanceof LoopState.Listing || this.state instanceof LoopState.Streaming) {
			return "cannot get the full state";
		}
		boolean established = !(this.signal instanceof LoopSignal.Failed);
		return established ? "the watch has failed" : "cannot open the watch";
	}

}
