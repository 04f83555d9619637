package dev.reflector.client.internal.http;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.util.context.Context;

import org.springframework.web.reactive.function.client.ClientResponse;

/**
 * Closes the connection of a canceled request. {@code WebClient} itself does this before
 * the response has begun, and while its body is read. After the response has begun, but
 * before its body is read, {@code WebClient} instead reads the whole body to reuse the
 * connection. For a watch, this would last until the server ends the watch.
 */
public final class Cancellation {

	private static final Logger logger = LoggerFactory.getLogger(Cancellation.class);

	private static final Context IGNORING_ERRORS = Context.of("reactor.onErrorDropped.local",
			(Consumer<Throwable>) (error) -> logger.trace("The response was already released", error));

	private @Nullable Runnable closing;

	private @Nullable ClientResponse response;

	private boolean cancelled;

	/**
	 * Sets how to close the connection. If the request is already canceled, closes the
	 * connection at once.
	 * @param closing closes the connection if it still serves the request
	 */
	synchronized void onCancel(Runnable closing) {
		this.closing = closing;
		if (this.cancelled) {
			closing.run();
		}
	}

	/**
	 * Sets the response. If the request is canceled just before the reader gets the
	 * response, only this class can release the buffers of the response.
	 * @param response the response, whose body has not been read yet
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
		// fails, perhaps twice, if the response is being read or was already released
		response.releaseBody().onErrorComplete().contextWrite(IGNORING_ERRORS).subscribe();
	}

}
