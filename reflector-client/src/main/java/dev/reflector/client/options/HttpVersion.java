package dev.reflector.client.options;

/**
 * The version of HTTP for the API server.
 *
 * @since 0.1.0
 */
public enum HttpVersion {

	/**
	 * HTTP/1.1. Each watch has its own connection. If a connection is lost, only its
	 * watch ends.
	 */
	HTTP_1_1,

	/**
	 * HTTP/2, if the server offers it, and otherwise HTTP/1.1. Many requests share a
	 * connection. HTTP/2 needs TLS (ALPN), so {@code http} URLs always use HTTP/1.1.
	 */
	HTTP_2

}
