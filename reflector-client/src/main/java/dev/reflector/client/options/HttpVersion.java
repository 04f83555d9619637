package dev.reflector.client.options;

/**
 * The version of HTTP for the API server.
 *
 * @since 0.1.0
 */
public enum HttpVersion {

	/** HTTP/1.1: each watch has its own connection, and fails alone. */
	HTTP_1_1,

	/**
	 * HTTP/2, where the server offers it: many requests share a connection. Needs TLS
	 * (ALPN), so an {@code http} URL always uses HTTP/1.1.
	 */
	HTTP_2

}
