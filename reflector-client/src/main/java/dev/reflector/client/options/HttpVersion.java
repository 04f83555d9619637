package dev.reflector.client.options;

/**
 * The version of HTTP that is spoken with an API server.
 *
 * @since 0.1.0
 */
public enum HttpVersion {

	/** One connection for each watch: each fails alone. */
	HTTP_1_1,

	/**
	 * Many requests share a connection, where the server offers that. Agreed on with TLS
	 * only (ALPN), so an {@code http} URL is HTTP/1.1 anyway.
	 */
	HTTP_2

}
