package dev.reflector.client.options;

/**
 * The format in which objects are requested.
 *
 * @since 0.1.0
 */
public enum ObjectFormat {

	/** JSON, which every server supports. */
	JSON,

	/**
	 * CBOR (RFC 8949) where the server supports it, otherwise JSON. Requests accept both;
	 * after a server has refused such a request, only JSON is requested.
	 */
	CBOR

}
