package dev.reflector.write;

import java.time.Duration;

/**
 * Signals that the server accepts no more requests now, for longer than the timeout of
 * the write. Nothing was written.
 *
 * @since 0.1.0
 */
public final class WriteThrottledException extends WriteException {

	private final Duration retryAfter;

	/**
	 * Creates the exception.
	 * @param retryAfter how long the server asks to wait
	 * @param advice what is wrong and what to do
	 * @param failure what has failed
	 */
	public WriteThrottledException(Duration retryAfter, String advice, Failure failure) {
		super("throttled", advice, failure);
		this.retryAfter = retryAfter;
	}

	/**
	 * Returns how long the server asks to wait.
	 * @return the time, counted from the response
	 */
	public Duration retryAfter() {
		return this.retryAfter;
	}

}
