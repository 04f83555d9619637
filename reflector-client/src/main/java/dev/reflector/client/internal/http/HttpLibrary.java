package dev.reflector.client.internal.http;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * The HTTP library that the application has chosen. It configures connectors for watches:
 * these last long, may be quiet for a long time, need a connection each, and must not be
 * decompressed by the library (W-64). It also recognizes the exceptions of the library.
 */
public interface HttpLibrary {

	/**
	 * Makes connectors.
	 * @param bundle trust and client certificate, or {@code null} for the defaults of the
	 * JVM
	 * @return new connectors
	 */
	Connectors connectors(@Nullable SslBundle bundle);

	/**
	 * Whether a connection could not be made in time.
	 * @param failure one exception, not its causes
	 * @return whether the exception says so
	 */
	boolean isConnectTimeout(Throwable failure);

	/**
	 * Whether a connection was made, but the TLS handshake took too long.
	 * @param failure one exception, not its causes
	 * @return whether the exception says so
	 */
	default boolean isHandshakeTimeout(Throwable failure) {
		return false;
	}

	/**
	 * Whether a proxy was reached but did not connect to the server.
	 * @param failure one exception, not its causes
	 * @return whether the exception says so
	 */
	default boolean isProxyRefusal(Throwable failure) {
		return false;
	}

}
