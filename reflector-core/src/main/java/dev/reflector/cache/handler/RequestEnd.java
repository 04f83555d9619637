package dev.reflector.cache.handler;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How a request of a reflector has ended.
 *
 * @param reason why it has ended
 * @param failure what has failed, {@code null} when nothing has
 * @param duration since the request; for a watch that began with the full state, since
 * that was complete
 * @param events objects of a list, or frames of a watch; of a watch that began with the
 * full state, those after it
 * @param pages pages of a list that have come, 0 for a watch
 * @param bytes size of the answer as it came, 0 when the source does not count
 * @since 0.1.0
 */
public record RequestEnd(Reason reason, @Nullable RequestFailure failure, Duration duration, long events, int pages,
		long bytes) {

	/** Why a request has ended. */
	public enum Reason {

		/** The answer is complete: that of a watch is when the server closes it. */
		ENDED,

		/** The connection of a watch was lost. */
		LOST,

		/** Nothing more came of a watch, so its connection was given up. */
		SILENT,

		/** What came is malformed. */
		MALFORMED,

		/** The request has failed, or the answer was an error or cannot be used. */
		FAILED,

		/** A watch has lasted longer than was asked for, and was closed. */
		OVERDUE,

		/** The next watch has taken over. */
		REPLACED,

		/** It is no longer wanted, as after a pause, a stop or a requested list. */
		GIVEN_UP;

		/**
		 * Whether a watch has ended by a failure of the server or on the way to it.
		 * @return whether it has
		 */
		public boolean isFailure() {
			return this == LOST || this == SILENT || this == MALFORMED || this == FAILED;
		}

	}

}
