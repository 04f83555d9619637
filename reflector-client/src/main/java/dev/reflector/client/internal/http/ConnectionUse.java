package dev.reflector.client.internal.http;

import java.util.function.BooleanSupplier;

import reactor.util.context.ContextView;

/**
 * The connection that one request was sent over. Connectors find it in the context of the
 * request and tell what they know of the connection. A request of which they tell nothing
 * counts as sent over a new connection.
 */
public final class ConnectionUse {

	private volatile BooleanSupplier unanswered = () -> false;

	/**
	 * Tells a request that it is sent over a connection that has served before.
	 * @param context the context of the request
	 * @param unanswered whether no byte of the answer has come
	 */
	static void kept(ContextView context, BooleanSupplier unanswered) {
		context.<ConnectionUse>getOrEmpty(ConnectionUse.class).ifPresent((use) -> use.unanswered = unanswered);
	}

	/**
	 * Whether the request may have met a connection that the server was closing: it was
	 * sent over one that has served before, and no byte of the answer has come.
	 * @return whether the request is worth sending again when its connection was lost
	 */
	public boolean isKeptAndUnanswered() {
		return this.unanswered.getAsBoolean();
	}

}
