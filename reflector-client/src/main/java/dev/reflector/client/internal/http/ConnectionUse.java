package dev.reflector.client.internal.http;

import java.util.function.BooleanSupplier;

import reactor.util.context.ContextView;

/**
 * Records whether a request was sent over a new or a reused connection. This object is in
 * the Reactor context of the request. Connectors call {@link #kept} if the connection is
 * reused.
 */
public final class ConnectionUse {

	private volatile BooleanSupplier unanswered = () -> false;

	/**
	 * Records that a request is sent over a reused connection.
	 * @param context the Reactor context of the request
	 * @param unanswered returns whether no byte of the response has arrived
	 */
	static void kept(ContextView context, BooleanSupplier unanswered) {
		context.<ConnectionUse>getOrEmpty(ConnectionUse.class).ifPresent((use) -> use.unanswered = unanswered);
	}

	/**
	 * Returns whether the connection was reused and no byte of the response has arrived.
	 * If such a connection was lost, the server may have closed it before the request
	 * arrived.
	 * @return whether to repeat the request if its connection was lost
	 */
	public boolean isKeptAndUnanswered() {
		return this.unanswered.getAsBoolean();
	}

}
