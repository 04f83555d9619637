package dev.reflector.client.internal.http;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * The HTTP library that the application has chosen. Configures its connectors for
 * watches: a watch lasts long, may be quiet for a long time, needs its own connection,
 * and must not be decompressed by the library (W-64). Also recognizes the exceptions of
 * the library.
 */
public interface HttpLibrary {

	/**
	 * Creates connectors.
	 * @param bundle the trusted authorities and the client certificate, or {@code null}
	 * for the defaults of the JVM
	 * @return new connectors
	 */
	Connectors connectors(@Nullable SslBundle bundle);

	/**
	 * Returns whether an exception means that a connection could not be made in time.
	 * @param failure the exception; its causes are not examined
	 * @return {@code true} for such a timeout
	 */
	boolean isConnectTimeout(Throwable failure);

	/**
	 * Returns whether an exception means that a connection was made, but the TLS
	 * handshake took too long.
	 * @param failure the exception; its causes are not examined
	 * @return {@code true} for such a timeout
	 */
	default boolean isHandshakeTimeout(Throwable failure) {
		return false;
	}

	/**
	 * Returns whether an exception means that a proxy was reached, but did not connect to
	 * the server.
	 * @param failure the exception; its causes are not examined
	 * @return {@code true} for such a refusal
	 */
	default boolean isProxyRefusal(Throwable failure) {
		return false;
	}

}
