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
	 * CBOR (RFC 8949) if the server supports it, and otherwise JSON. Requests accept both
	 * formats. If a server refuses such a request, only JSON is requested from then on.
	 */
	CBOR,

	/**
	 * Kubernetes' protobuf for objects of built-in types, and for the metadata of all
	 * types; JSON for everything else. Requests accept both formats. If a server refuses
	 * such a request, only JSON is requested from then on. Fields that a Java type does
	 * not declare are skipped.
	 */
	@Experimental
	PROTOBUF,

	/**
	 * {@link #PROTOBUF} for Java types that declare only a part of their objects, because
	 * reading them in protobuf takes less processor time; JSON for all other Java types.
	 */
	@Experimental
	AUTO

}
