package dev.reflector.client;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

import javax.net.ssl.SSLException;

import dev.reflector.cache.ConnectionException;
import dev.reflector.cache.CredentialsException;
import org.jspecify.annotations.Nullable;

/**
 * Says what is wrong when there is no connection, where, and what to do about it.
 *
 * @param server the server
 */
record ConnectionAdvice(ApiServer server) {

	/**
	 * Whether one side does not accept the other, so that other credentials may help.
	 * @param failure what has failed
	 * @return whether it is about trust
	 */
	static boolean isAboutTrust(Throwable failure) {
		return find(failure, SSLException.class) != null;
	}

	/**
	 * Whether it is this side that does not accept the other.
	 * @param failure what has failed
	 * @return whether the server is not trusted
	 */
	static boolean isServerRefused(Throwable failure) {
		return find(failure, ServerCertificateException.class) != null;
	}

	/**
	 * Explains why a request could not be sent.
	 * @param failure why
	 * @return the explanation, or the failure itself when it says enough
	 */
	Throwable explain(Throwable failure) {
		if (find(failure, CredentialsException.class) != null) {
			return failure;
		}
		ServerCertificateException refused = find(failure, ServerCertificateException.class);
		if (refused != null) {
			return new ConnectionException(refused.reason(), String.valueOf(refused.getMessage()), failure);
		}
		SSLException tls = find(failure, SSLException.class);
		if (tls != null) {
			return new ConnectionException("TlsFailure", handshake(tls), failure);
		}
		Unreached unreached = unreached(failure);
		return (unreached != null) ? new ConnectionException(unreached.reason(),
				"cannot connect to " + this.server.url() + unreached.detail()
						+ "; check that it runs, and that this is its address (" + this.server.origin() + ")",
				failure) : failure;
	}

	private static @Nullable Unreached unreached(Throwable failure) {
		if (find(failure, UnresolvedAddressException.class) != null) {
			// how the client of the JDK says it, within a refused connection
			return new Unreached("UnknownHost", ": there is no address for this name");
		}
		UnknownHostException unknown = find(failure, UnknownHostException.class);
		if (unknown != null) {
			return Unreached.of("UnknownHost", unknown);
		}
		NoRouteToHostException route = find(failure, NoRouteToHostException.class);
		if (route != null) {
			return Unreached.of("NoRoute", route);
		}
		ConnectException connect = find(failure, ConnectException.class);
		return (connect != null) ? Unreached.of("ConnectionRefused", connect) : null;
	}

	private String handshake(SSLException failure) {
		return "there is no TLS connection to " + this.server.url() + ": " + failure.getMessage()
				+ "; if the server does not accept the client certificate, or demands one, correct it ("
				+ this.server.ssl() + "); if it speaks no TLS, begin its URL with http";
	}

	private static <X extends Throwable> @Nullable X find(Throwable failure, Class<X> type) {
		int depth = 0;
		for (Throwable current = failure; current != null && depth < 20; current = current.getCause(), depth++) {
			if (type.isInstance(current)) {
				return type.cast(current);
			}
		}
		return null;
	}

	/**
	 * Why a server was not reached.
	 *
	 * @param reason one word from a small set
	 * @param detail what the HTTP client says of it, with a colon in front, or nothing
	 */
	private record Unreached(String reason, String detail) {

		static Unreached of(String reason, Throwable cause) {
			return new Unreached(reason, (cause.getMessage() != null) ? ": " + cause.getMessage() : "");
		}

	}

}
