package dev.reflector.client.options;

import dev.reflector.Experimental;

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
	CBOR,

	/**
	 * Kubernetes' protobuf for the types that every Kubernetes server has, and for the
	 * metadata of all types; otherwise JSON. Requests accept both; after a server has
	 * refused such a request, only JSON is requested. Fields that a Java type does not
	 * declare are skipped by their length.
	 */
	@Experimental
	PROTOBUF,

	/**
	 * {@link #PROTOBUF} for Java types that declare only a part of their objects, for
	 * which it is cheaper; otherwise JSON.
	 */
	@Experimental
	AUTO

}
