package dev.reflector.client.internal.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

import javax.net.ssl.SSLException;

import dev.reflector.cache.source.ConnectionException;
import dev.reflector.cache.source.CredentialsException;
import dev.reflector.client.credentials.ApiServer;
import org.jspecify.annotations.Nullable;

/**
 * Says what is wrong when a request could not be sent, where, and what to do about it.
 */
public final class TransportFailures {

	public static final String CONNECTION_REFUSED = "ConnectionRefused";

	private final ApiServer server;

	private final HttpLibrary library;

	private final ConnectorPlan plan;

	public TransportFailures(ApiServer server, HttpLibrary library, ConnectorPlan plan) {
		this.server = server;
		this.library = library;
		this.plan = plan;
	}

	/**
	 * Whether one side does not accept the other, so that other credentials may help.
	 * @param failure what has failed
	 * @return whether it is about trust
	 */
	public static boolean isAboutTrust(Throwable failure) {
		ConnectionException explained = Causes.find(failure, ConnectionException.class);
		boolean timeout = explained != null && explained.reason().equals(ConnectionException.CONNECT_TIMEOUT);
		return !timeout && Causes.find(failure, SSLException.class) != null;
	}

	/**
	 * Whether it is this side that does not accept the other.
	 * @param failure what has failed
	 * @return whether the server is not trusted
	 */
	public static boolean isServerRefused(Throwable failure) {
		return Causes.find(failure, ServerCertificateException.class) != null;
	}

	/**
	 * Explains why a request could not be sent.
	 * @param failure why
	 * @return the explanation, or the failure itself when it says enough
	 */
	public Throwable explain(Throwable failure) {
		if (Causes.find(failure, CredentialsException.class) != null) {
			return failure;
		}
		Throwable timeout = Causes.first(failure, this.library::isConnectTimeout);
		URI proxy = this.plan.route().proxy();
		Throwable unreached = (timeout != null || proxy == null) ? timeout
				: Causes.first(failure, TransportFailures::isUnreached);
		if (unreached != null) {
			return (proxy != null)
					? new ConnectionException(ConnectionException.PROXY_FAILURE,
							proxy(proxy, unreached, timeout != null), unreached)
					: new ConnectionException(ConnectionException.CONNECT_TIMEOUT, connectTimeout(), unreached);
		}
		ServerCertificateException refused = Causes.find(failure, ServerCertificateException.class);
		if (refused != null) {
			return new ConnectionException(refused.reason(), String.valueOf(refused.getMessage()), failure);
		}
		Throwable slow = Causes.first(failure, this.library::isHandshakeTimeout);
		if (slow != null) {
			return new ConnectionException(ConnectionException.CONNECT_TIMEOUT, handshakeTimeout(slow), failure);
		}
		SSLException tls = Causes.find(failure, SSLException.class);
		return (tls != null) ? new ConnectionException("TlsFailure", handshake(tls), failure) : unreached(failure);
	}

	private String connectTimeout() {
		return "no connection to " + this.server.url().getAuthority() + limit() + "; check its address ("
				+ this.server.origin() + "), the network and firewalls";
	}

	private String handshakeTimeout(Throwable failure) {
		return "no TLS connection to " + this.server.url().getAuthority() + ": " + failure.getMessage()
				+ "; it takes connections and then says nothing: check that it is a server that speaks TLS ("
				+ this.server.origin() + "), and that it is not overloaded";
	}

	private String proxy(URI proxy, Throwable cause, boolean timeout) {
		String route = "cannot connect to " + this.server.url() + " through the proxy " + proxy.getScheme() + "://"
				+ proxy.getHost() + ":" + proxy.getPort();
		String advice = "; check that the proxy runs and lets this server through, or correct 'proxy-url' ("
				+ this.server.origin() + ")";
		if (this.library.isProxyRefusal(cause)) {
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

	private String handshake(SSLException failure) {
		return "there is no TLS connection to " + this.server.url() + ": " + failure.getMessage()
				+ "; if the server does not accept the client certificate, or demands one, correct it ("
				+ this.server.ssl() + "); if it speaks no TLS, begin its URL with http";
	}

	private Throwable unreached(Throwable failure) {
		if (Causes.find(failure, UnresolvedAddressException.class) != null) {
			// how the client of the JDK says it, within a refused connection
			return unreached("UnknownHost", "there is no address for this name", failure);
		}
		UnknownHostException unknown = Causes.find(failure, UnknownHostException.class);
		if (unknown != null) {
			return unreached("UnknownHost", unknown.getMessage(), failure);
		}
		NoRouteToHostException route = Causes.find(failure, NoRouteToHostException.class);
		if (route != null) {
			return unreached("NoRoute", route.getMessage(), failure);
		}
		ConnectException connect = Causes.find(failure, ConnectException.class);
		return (connect != null) ? unreached(CONNECTION_REFUSED, connect.getMessage(), failure) : failure;
	}

	private ConnectionException unreached(String reason, @Nullable String detail, Throwable failure) {
		return new ConnectionException(reason,
				"cannot connect to " + this.server.url() + ((detail != null) ? ": " + detail : "")
						+ "; check that it runs, and that this is its address (" + this.server.origin() + ")",
				failure);
	}

	/**
	 * Whether a request may have been refused for the sake of its connection alone, such
	 * as one that is being given up (GOAWAY), and so can be repeated at once.
	 * @param failure the failure, explained, of a request whose answer has not begun
	 * @return whether to repeat it
	 */
	public boolean isRefusedStream(Throwable failure) {
		return this.plan.http2() && !(failure instanceof ConnectionException)
				&& Causes.find(failure, IOException.class) != null;
	}

	/**
	 * Whether the connection of a request was lost.
	 * @param failure what has failed, not explained
	 * @return whether it is about the connection
	 */
	public static boolean isLost(Throwable failure) {
		return Causes.find(failure, IOException.class) != null;
	}

	private static boolean isUnreached(Throwable failure) {
		return failure instanceof ConnectException || failure instanceof UnknownHostException
				|| failure instanceof NoRouteToHostException;
	}

}
