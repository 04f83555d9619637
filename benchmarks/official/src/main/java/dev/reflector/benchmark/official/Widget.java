package dev.reflector.benchmark.official;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * A custom resource with all of its fields.
 */
public final class Widget implements KubernetesObject, Stamped {

	private @Nullable String apiVersion;

	private @Nullable String kind;

	private @Nullable V1ObjectMeta metadata;

	private @Nullable WidgetSpec spec;

	private @Nullable SlimStatus status;

	@Override
	public @Nullable String getApiVersion() {
		return this.apiVersion;
	}

	@Override
	public @Nullable String getKind() {
		return this.kind;
	}

	/**
	 * Sets the version of the API: the client does so for the items of a list.
	 * @param apiVersion the version
	 */
	public void setApiVersion(String apiVersion) {
		this.apiVersion = apiVersion;
	}

	/**
	 * Sets the kind: the client does so for the items of a list.
	 * @param kind the kind
	 */
	public void setKind(String kind) {
		this.kind = kind;
	}

	@Override
	public @Nullable V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	/**
	 * Returns the desired state.
	 * @return the specification
	 */
	public @Nullable WidgetSpec getSpec() {
		return this.spec;
	}

	@Override
	public @Nullable String stamp() {
		return (this.status != null) ? this.status.getMessage() : null;
	}

}
