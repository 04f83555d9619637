package dev.reflector.benchmark.official;

import com.google.gson.annotations.JsonAdapter;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * The slim fields of a pod, and the type, which the client wants to see.
 */
public final class SlimPod implements KubernetesObject, Stamped {

	private @Nullable String apiVersion;

	private @Nullable String kind;

	@JsonAdapter(SlimMetadata.class)
	private @Nullable V1ObjectMeta metadata;

	private @Nullable SlimSpec spec;

	private @Nullable SlimStatus status;

	@Override
	public @Nullable String getApiVersion() {
		return this.apiVersion;
	}

	@Override
	public @Nullable String getKind() {
		return this.kind;
	}

	@Override
	public @Nullable V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	/**
	 * What is wanted.
	 * @return the specification
	 */
	public @Nullable SlimSpec getSpec() {
		return this.spec;
	}

	@Override
	public @Nullable String stamp() {
		return (this.status != null) ? this.status.getMessage() : null;
	}

}
