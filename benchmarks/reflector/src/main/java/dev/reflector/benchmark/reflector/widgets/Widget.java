package dev.reflector.benchmark.reflector.widgets;

import java.util.Map;

import dev.reflector.ReflectedResource;
import org.jspecify.annotations.Nullable;

/**
 * The fields that all slim types have.
 *
 * @param metadata metadata
 * @param spec what is wanted
 * @param status what is
 */
@ReflectedResource(apiVersion = "example.com/v1", kind = "Widget", plural = "widgets")
public record Widget(Metadata metadata, @Nullable Spec spec, @Nullable Status status) {

	/**
	 * Metadata.
	 *
	 * @param name name
	 * @param namespace namespace
	 * @param uid identity
	 * @param resourceVersion version
	 * @param labels labels
	 */
	public record Metadata(String name, String namespace, String uid, String resourceVersion,
			@Nullable Map<String, String> labels) {

	}

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
