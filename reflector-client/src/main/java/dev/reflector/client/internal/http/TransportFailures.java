package dev.reflector.client.internal.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

import dev.reflector.cache.source.ConnectionException;
import dev.reflector.cache.source.CredentialsException;
import dev.reflector.client.credentials.ApiServer;
import org.jspecify.annotations.Nullable;

/** Explains why a request could not be sent: what is wrong, where, and what to do. */
public final class TransportFailures {

	/** The reason if the server did not respond while the connection was made. */
	private static final String CONNECT_TIMEOUT = "ConnectTimeout";

	/** The reason if the proxy refused the connection, or was not reached. */
	private static final String PROXY_FAILURE = "ProxyFailure";

	private static final String UNKNOWN_HOST = "there is no address for this name";

	public static final String CONNECTION_REFUSED = "ConnectionRefused";

	/** The messages of Netty and the JDK for a response that is not TLS. */
	private static final Pattern NO_TLS = Pattern
		.compile("not an SSL/TLS record|(Unsupported or u|U)nrecognized SSL message");

	/** The address at the end of a message from Netty. */
	private static final Pattern ADDRESS = Pattern.compile(": ?[^/ ]*/([^/ ]+):\\d+$");

	/**
	 * The text that Netty's native transports put before the message of the operating
	 * system.
	 */
	private static final Pattern NATIVE_CALL = Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ");

	private final ApiServer server;

	private final HttpLibrary library;

	private final ConnectorPlan plan;

	/**
	 * Whether the server has responded to a request. If so, the scheme of its URL is
	 * right.
	 */
	private volatile boolean answered;

	public TransportFailures(ApiServer server, HttpLibrary library, ConnectorPlan plan) {
		this.server = server;
		this.library = library;
		this.plan = plan;
	}

	/**
	 * Returns whether the client or the server did not accept the other side in the TLS
	 * handshake. A retry with other credentials may then succeed.
	 * @param failure the explained failure
	 * @return {@code true} if the failure concerns trust
	 */
	public static boolean isAboutTrust(Throwable failure) {
		ConnectionException explained = Causes.find(failure, ConnectionException.class);
		return explained != null && !explained.reason().equals(CONNECT_TIMEOUT)
				&& Causes.find(failure, SSLException.class) != null;
	}

	/**
	 * Returns whether a request was certainly not sent, because there was no connection.
	 * A TLS connection may also fail after its handshake, for example if a record is
	 * damaged. The server may then have received the request.
	 * @param failure the explained failure
	 * @return {@code true} if the server has not received the request
	 */
	public static boolean isUnsent(Throwable failure) {
		boolean tls = Causes.find(failure, SSLException.class) != null;
		boolean handshake = Causes.find(failure, SSLHandshakeException.class) != null;
		return failure instanceof ConnectionException && (!tls || handshake);
	}

	/**
	 * Returns whether this client did not accept the certificate of the server.
	 * @param failure the failure
	 * @return {@code true} if the server is not trusted
	 */
	public static boolean isServerRefused(Throwable failure) {
		return Causes.find(failure, ServerCertificateException.class) != null;
	}

	/** Records that the server has responded to a request. */
	public void answered() {
		this.answered = true;
	}

	/**
	 * Explains why a request could not be sent.
	 * @param failure the failure
	 * @return the explanation, or the failure itself if it needs none
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
					? new ConnectionException(PROXY_FAILURE, proxy(proxy, unreached, timeout != null), unreached)
					: new ConnectionException(CONNECT_TIMEOUT, connectTimeout(), unreached);
		}
		ServerCertificateException refused = Causes.find(failure, ServerCertificateException.class);
		if (refused != null) {
			return new ConnectionException(refused.reason(), String.valueOf(refused.getMessage()), failure);
		}
		Throwable slow = Causes.first(failure, this.library::isHandshakeTimeout);
		if (slow != null) {
			return new ConnectionException(CONNECT_TIMEOUT, handshakeTimeout(slow), failure);
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
				+ "; it accepts connections but does not answer: check that it is a server with TLS ("
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
		// an exception of the JDK may have no message
		String said = (cause.getMessage() != null) ? " " + cause.getMessage() : "";
		String problem = timeout ? limit() : ", " + cause.getClass().getSimpleName() + said;
		return route + ": the proxy was not reached" + problem + advice;
	}

	private String limit() {
		return " within " + this.plan.timeouts().connect().toMillis()
				+ " ms (reflector.api-server.connect-timeout or Timeouts.connect)";
	}

	private String handshake(SSLException failure) {
		String said = String.valueOf(failure.getMessage());
		if (NO_TLS.matcher(said).lookingAt()) {
			return "what answers at " + this.server.url()
					+ " does not use TLS: begin its URL with http, or correct its port (" + this.server.origin() + ")";
		}
		return "there is no TLS connection to " + this.server.url() + ": " + failure.getMessage()
				+ "; if the server requires a client certificate, or another one, correct it (" + this.server.ssl()
				+ "); if it does not use TLS, begin its URL with http";
	}

	private Throwable unreached(Throwable failure) {
		if (Causes.find(failure, UnresolvedAddressException.class) != null) {
			// in the client of the JDK, this exception is the cause of a refused
			// connection
			return unreached("UnknownHost", UNKNOWN_HOST, failure);
		}
		UnknownHostException unknown = Causes.find(failure, UnknownHostException.class);
		if (unknown != null) {
			Throwable cause = unknown.getCause();
			return unreached("UnknownHost",
					UNKNOWN_HOST
							+ ((cause != null && cause.getMessage() != null) ? " (" + cause.getMessage() + ")" : ""),
					failure);
		}
		NoRouteToHostException route = Causes.find(failure, NoRouteToHostException.class);
		if (route != null) {
			return unreached("NoRoute", route.getMessage(), failure);
		}
		ConnectException connect = Causes.find(failure, ConnectException.class);
		if (connect != null) {
			String said = connect.getMessage();
			return unreached(CONNECTION_REFUSED, (said != null) ? refusal(said) : null, failure);
		}
		IOException lost = Causes.find(failure, IOException.class);
		// before the first response, a wrong scheme in the URL is a likely reason
		return (lost == null || this.answered) ? failure : new IOException(connectionLost(lost), failure);
	}

	private String connectionLost(IOException failure) {
		// a closed channel leads to an exception without a message
		String said = (failure.getMessage() != null) ? failure.getMessage() : "the connection was closed";
		return said + ("http".equalsIgnoreCase(this.server.url().getScheme())
				? "; if the server uses TLS, begin its URL with https"
				: "; if the server does not use TLS, begin its URL with http");
	}

	/** Removes the address from a message, because the URL already contains it. */
	private String refusal(String said) {
		Matcher address = ADDRESS.matcher(NATIVE_CALL.matcher(said).replaceFirst(""));
		return address.replaceFirst((found) -> found.group(1).equals(this.server.url().getHost()) ? "" : " by $1");
	}

	private ConnectionException unreached(String reason, @Nullable String detail, Throwable failure) {
		return new ConnectionException(reason,
				"cannot connect to " + this.server.url() + ((detail != null) ? ": " + detail : "")
						+ "; check that it runs, and that this is its address (" + this.server.origin() + ")",
				failure);
	}

	/**
	 * Returns whether a request may have been refused only because the server is closing
	 * its HTTP/2 connection (GOAWAY). Such a request can be repeated at once.
	 * @param failure the explained failure of a request whose response has not begun
	 * @return whether to repeat the request
	 */
	public boolean isRefusedStream(Throwable failure) {
		return this.plan.http2() && !(failure instanceof ConnectionException)
				&& Causes.find(failure, IOException.class) != null;
	}

	/**
	 * Returns whether the connection of a request was lost.
	 * @param failure the original failure, and not the result of {@link #explain}
	 * @return {@code true} if the connection was lost
	 */
	public static boolean isLost(Throwable failure) {
		return Causes.find(failure, IOException.class) != null;
	}

	private static boolean isUnreached(Throwable failure) {
		return failure instanceof ConnectException || failure instanceof UnknownHostException
				|| failure instanceof NoRouteToHostException;
	}

}
