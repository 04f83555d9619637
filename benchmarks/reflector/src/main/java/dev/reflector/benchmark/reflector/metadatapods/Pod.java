package dev.reflector.benchmark.reflector.metadatapods;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;
import org.jspecify.annotations.Nullable;

/**
 * The fields of the slim type, and whole metadata: owners, finalizers and annotations,
 * too.
 *
 * @param metadata metadata
 * @param spec what is wanted
 * @param status what is
 */
@ReflectedResource(apiVersion = "v1", kind = "Pod", plural = "pods")
public record Pod(ObjectMeta metadata, @Nullable Spec spec, @Nullable Status status) {

	/**
	 * The desired state.
	 *
	 * @param nodeName the name of the node
	 */
	public record Spec(@Nullable String nodeName) {

	}

	/**
	 * The observed state.
	 *
	 * @param phase the phase
	 * @param podIP the address
	 * @param message the time when it was sent
	 */
	public record Status(@Nullable String phase, @Nullable String podIP, @Nullable String message) {

	}

}
