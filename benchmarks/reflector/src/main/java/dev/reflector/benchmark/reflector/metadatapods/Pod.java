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
	 * What is wanted.
	 *
	 * @param nodeName where it is
	 */
	public record Spec(@Nullable String nodeName) {

	}

	/**
	 * What is.
	 *
	 * @param phase phase
	 * @param podIP address
	 * @param message when it was sent
	 */
	public record Status(@Nullable String phase, @Nullable String podIP, @Nullable String message) {

	}

}
