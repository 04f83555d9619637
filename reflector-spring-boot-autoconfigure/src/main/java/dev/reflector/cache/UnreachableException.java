package dev.reflector.cache;

import java.io.IOException;

/**
 * The server was not reached, so that it has not seen the request, and it is known why.
 * The message says what was tried and what to check, and holds no secrets.
 */
public class UnreachableException extends IOException {

	private final Reason reason;

	/**
	 * Creates an exception.
	 * @param reason why the server was not reached
	 * @param message what was tried and what to check
	 * @param cause what has failed
	 */
	public UnreachableException(Reason reason, String message, Throwable cause) {
		super(message, cause);
		this.reason = reason;
	}

	/**
	 * Why the server was not reached.
	 * @return the reason
	 */
	public Reason reason() {
		return this.reason;
	}

	/**
	 * Why a server is not reached.
	 */
	public enum Reason {

		/** Nobody answered while the connection was made. */
		CONNECT_TIMEOUT("ConnectTimeout"),

		/** The proxy in between did not let us through, or was not reached itself. */
		PROXY("ProxyFailure");

		private final String text;

		Reason(String text) {
			this.text = text;
		}

		/**
		 * The form for logs and metrics.
		 * @return one word
		 */
		@Override
		public String toString() {
			return this.text;
		}

	}

}
