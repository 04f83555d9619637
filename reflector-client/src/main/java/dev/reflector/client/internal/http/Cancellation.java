package dev.reflector.client.internal.http;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.util.context.Context;

import org.springframework.web.reactive.function.client.ClientResponse;

/**
 * Closes the connection of a request that is cancelled. Reactive clients do so when the
 * answer is being read or has not begun. Between the two, {@code WebClient} reads what is
 * left, to be able to use the connection again; of a watch that is all that happens until
 * the server ends it, with nobody there to listen.
 */
public final class Cancellation {

	private static final Logger logger = LoggerFactory.getLogger(Cancellation.class);

	private static final Context UNHEARD = Context.of("reactor.onErrorDropped.local",
			(Consumer<Throwable>) (error) -> logger.trace("Nothing was left to release", error));

	private @Nullable Runnable closing;

	private @Nullable ClientResponse response;

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

	/**
	 * Takes note of the answer. When the request is cancelled in the moment in which the
	 * answer is handed over, nobody reads it, and nobody else gives its buffers back.
	 * @param response the answer, of which nothing has been read
	 */
	public synchronized void onResponse(ClientResponse response) {
		this.response = response;
		if (this.cancelled) {
			release(response);
		}
	}

	public synchronized void cancel() {
		this.cancelled = true;
		if (this.closing != null) {
			this.closing.run();
		}
		if (this.response != null) {
			release(this.response);
		}
	}

	private static void release(ClientResponse response) {
		// an answer that is being read, or released already, says that it is, even twice
		response.releaseBody().onErrorComplete().contextWrite(UNHEARD).subscribe();
	}

}
