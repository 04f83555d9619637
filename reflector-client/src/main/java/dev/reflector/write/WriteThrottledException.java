package dev.reflector.write;

import java.time.Duration;

/**
 * Thrown when the server has too many requests, and the time until the next attempt is
 * longer than the rest of the write's timeout. The last request was not carried out.
 *
 * @since 0.1.0
 */
public final class WriteThrottledException extends WriteException {

	private final Duration retryAfter;

	/**
	 * Creates the exception.
	 * @param retryAfter the time that the server asks to wait
	 * @param advice what is wrong and what to do
	 * @param failure the details of the failure, such as the write and the response
	 */
	public WriteThrottledException(Duration retryAfter, String advice, Failure failure) {
		super("throttled", advice, failure);
		this.retryAfter = retryAfter;
	}

	/**
	 * Returns the time that the server asks to wait.
	 * @return the time, counted from the response; zero if the server names none
	 */
	public Duration retryAfter() {
		return this.retryAfter;
	}

}
