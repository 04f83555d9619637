package dev.reflector.client.options;

/**
 * The format in which objects are asked for.
 *
 * @since 0.1.0
 */
public enum ObjectFormat {

	/** What every server can do. */
	JSON,

	/**
	 * CBOR (RFC 8949) where the server offers it, and JSON where it does not: the server
	 * is told that either will do, and is asked for JSON alone once it has refused that.
	 */
	CBOR

}
