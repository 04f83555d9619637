package dev.reflector.client;

import org.jspecify.annotations.Nullable;

/**
 * Closes the connection of a request that is cancelled. Reactive clients do so when the
 * answer is being read or has not begun. Between the two, {@code WebClient} reads what is
 * left, to be able to use the connection again; of a watch that is all that happens until
 * the server ends it, with nobody there to listen.
 */
final class Cancellation {

	private @Nullable Runnable closing;

	private boolean cancelled;

	/**
	 * Tells how to close the connection.
	 * @param closing closes the connection if it still serves the request
	 */
	synchronized void onCancel(Runnable closing) {
		this.closing = closing;
		if (this.cancelled) {
			closing.run();
		}
	}

	synchronized void cancel() {
		this.cancelled = true;
		if (this.closing != null) {
			this.closing.run();
		}
	}

}
