package dev.reflector.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.function.Predicate;

import javax.net.ssl.SSLException;

import dev.reflector.cache.ConnectionException;
import org.jspecify.annotations.Nullable;

/**
 * Says what a failure below HTTP means where the HTTP library does not, or says it in
 * terms of its own.
 */
final class TransportFailures {

	private static final int MAX_DEPTH = 20;

	private final ApiServer server;

	private final Connectors connectors;

	private final ConnectorPlan plan;

	TransportFailures(ApiServer server, Connectors connectors, ConnectorPlan plan) {
		this.server = server;
		this.connectors = connectors;
		this.plan = plan;
	}

	/**
	 * Explains a failure.
	 * @param failure what the HTTP library has thrown
	 * @return the explanation, or the same when there is nothing to explain
	 */
	Throwable explain(Throwable failure) {
		Throwable timeout = find(failure, this.connectors::isConnectTimeout);
		URI proxy = this.plan.route().proxy();
		if (proxy != null) {
			Throwable cause = (timeout != null) ? timeout : find(failure, TransportFailures::isUnreached);
			return (cause != null) ? new ConnectionException(ConnectionException.PROXY_FAILURE,
					proxy(proxy, cause, timeout != null), cause) : failure;
		}
		return (timeout != null) ? new ConnectionException(ConnectionException.CONNECT_TIMEOUT,
				"no connection to " + this.server.url().getAuthority() + limit() + "; check its address ("
						+ this.server.origin() + "), the network and firewalls",
				timeout) : failure;
	}

	private String proxy(URI proxy, Throwable cause, boolean timeout) {
		String route = "cannot connect to " + this.server.url() + " through the proxy " + proxy.getScheme() + "://"
				+ proxy.getHost() + ":" + proxy.getPort();
		String advice = "; check that the proxy runs and lets this server through, or correct 'proxy-url' ("
				+ this.server.origin() + ")";
		if (this.connectors.isProxyRefusal(cause)) {
			return route + ", which makes no connection to " + this.server.url().getAuthority() + ": "
					+ cause.getMessage() + advice;
		}
		// that of the JDK says nothing
		String said = (cause.getMessage() != null) ? " " + cause.getMessage() : "";
		String problem = timeout ? limit() : ", " + cause.getClass().getSimpleName() + said;
		return route + ": the proxy was not reached" + problem + advice;
	}

	private String limit() {
		return " within " + this.plan.timeouts().connect().toMillis() + " ms (reflector.api-server.connect-timeout)";
	}

	/**
	 * Whether a request may have been refused for the sake of its connection alone, such
	 * as one that is being given up (GOAWAY), and so can be repeated at once.
	 * @param failure the failure of a request whose answer has not begun
	 * @return whether to repeat it
	 */
	boolean isRefusedStream(Throwable failure) {
		return this.plan.http2() && find(failure, IOException.class::isInstance) != null
				&& find(failure, TransportFailures::isUnreached) == null && find(failure,
						(cause) -> cause instanceof SSLException || cause instanceof ConnectionException) == null;
	}

	private static boolean isUnreached(Throwable failure) {
		return failure instanceof ConnectException || failure instanceof UnknownHostException
				|| failure instanceof NoRouteToHostException;
	}

	private static @Nullable Throwable find(Throwable failure, Predicate<Throwable> matching) {
		Throwable current = failure;
		for (int depth = 0; current != null && depth < MAX_DEPTH; depth++) {
			if (matching.test(current)) {
				return current;
			}
			current = current.getCause();
		}
		return null;
	}

}
