package dev.reflector.write;

import java.time.Duration;

/**
 * Thrown when the server has too many requests, and asks to wait for longer than the
 * timeout of the write allows. The last request was not carried out.
 *
 * @since 0.1.0
 */
public final class WriteThrottledException extends WriteException {

	private final Duration retryAfter;

	/**
	 * Creates the exception.
	 * @param retryAfter the time that the server asks to wait
	 * @param advice what is wrong and what to do
	 * @param failure what has failed
	 */
	public WriteThrottledException(Duration retryAfter, String advice, Failure failure) {
		super("throttled", advice, failure);
		this.retryAfter = retryAfter;
	}

	/**
	 * Returns the time that the server asks to wait.
	 * @return the time, counted from the response
	 */
	public Duration retryAfter() {
		return this.retryAfter;
	}

}
