package dev.reflector.client.internal.http;

import java.util.function.BooleanSupplier;

import reactor.util.context.ContextView;

/**
 * Records whether a request was sent over a new or a reused connection. Connectors find
 * this object in the Reactor context of the request, and call {@link #kept} for a reused
 * connection.
 */
public final class ConnectionUse {

	private volatile BooleanSupplier unanswered = () -> false;

	/**
	 * Records that a request is sent over a reused connection.
	 * @param context the context of the request
	 * @param unanswered whether no byte of the response has arrived
	 */
	static void kept(ContextView context, BooleanSupplier unanswered) {
		context.<ConnectionUse>getOrEmpty(ConnectionUse.class).ifPresent((use) -> use.unanswered = unanswered);
	}

	/**
	 * Whether the server may have closed the connection before it got the request: the
	 * connection was reused, and no byte of the response has arrived.
	 * @return whether to repeat the request when its connection was lost
	 */
	public boolean isKeptAndUnanswered() {
		return this.unanswered.getAsBoolean();
	}

}
