package dev.reflector.benchmark.scaling;

import java.util.Map;

import dev.reflector.ReflectedResource;
import org.jspecify.annotations.Nullable;

/**
 * The mirrored fields of a custom resource that looks like a pod.
 *
 * @param metadata the metadata
 * @param spec the desired state
 * @param status the observed state
 */
@ReflectedResource(apiVersion = Workload.API_VERSION, kind = Workload.KIND, plural = Workload.PLURAL)
public record Workload(Metadata metadata, @Nullable Spec spec, @Nullable Status status) {

	static final String GROUP = "scaling.example.com";

	static final String API_VERSION = GROUP + "/v1";

	static final String KIND = "Workload";

	static final String PLURAL = "workloads";

	/** The namespace of all workloads. */
	static final String NAMESPACE = "default";

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
	 * @param message a text that differs after each change
	 */
	public record Status(@Nullable String phase, @Nullable String podIP, @Nullable String message) {

	}

}
