package dev.reflector.benchmark.reflector.idle;

import org.jspecify.annotations.Nullable;

/**
 * A pod of one of many mirrors.
 *
 * @param metadata metadata
 * @param spec what is wanted
 */
public record IdlePod(Metadata metadata, @Nullable Spec spec) {

	/**
	 * Metadata.
	 *
	 * @param name name
	 * @param namespace namespace
	 * @param uid identity
	 * @param resourceVersion version
	 */
	public record Metadata(String name, String namespace, String uid, String resourceVersion) {

	}

	/**
	 * The desired state.
	 *
	 * @param nodeName the name of the node
	 */
	public record Spec(@Nullable String nodeName) {

	}

}
