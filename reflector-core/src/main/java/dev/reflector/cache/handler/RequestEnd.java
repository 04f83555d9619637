package dev.reflector.cache.handler;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The end of a request of a reflector.
 *
 * @param reason why the request has ended
 * @param failure the failure of the request, {@code null} when the request has not failed
 * @param duration the duration of the request; for a watch that began with the full
 * state, the time since that state was complete
 * @param events the number of objects of a list, or of frames of a watch; for a watch
 * that began with the full state, only the frames after that state
 * @param pages the number of received pages of a list, 0 for a watch
 * @param bytes the size of the response as received, in bytes; 0 when the source does not
 * count bytes
 * @since 0.1.0
 */
public record RequestEnd(Reason reason, @Nullable RequestFailure failure, Duration duration, long events, int pages,
		long bytes) {

	/** Why a request has ended. */
	public enum Reason {

		/**
		 * The response is complete. The response of a watch is complete when the server
		 * closes the watch.
		 */
		ENDED,

		/** The connection of a watch was lost. */
		LOST,

		/** A watch has received nothing for too long, so its connection was closed. */
		SILENT,

		/** The response is malformed. */
		MALFORMED,

		/** The request has failed, or the response is an error or cannot be used. */
		FAILED,

		/** A watch has lasted longer than requested, and was closed. */
		OVERDUE,

		/** The next watch has replaced this one. */
		REPLACED,

		/**
		 * The request is no longer needed, for example after a pause, a stop or a
		 * requested list.
		 */
		GIVEN_UP;

		/**
		 * Whether this is a failure of the server or of the connection.
		 * @return {@code true} for a failure
		 */
		public boolean isFailure() {
			return this == LOST || this == SILENT || this == MALFORMED || this == FAILED;
		}

	}

}
