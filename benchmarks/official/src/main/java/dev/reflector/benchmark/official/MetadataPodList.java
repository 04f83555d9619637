package dev.reflector.benchmark.official;

import java.util.List;

import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.openapi.models.V1ListMeta;
import org.jspecify.annotations.Nullable;

/**
 * A list.
 */
public final class MetadataPodList implements KubernetesListObject {

	private @Nullable String apiVersion;

	private @Nullable String kind;

	private @Nullable V1ListMeta metadata;

	private List<MetadataPod> items = List.of();

	@Override
	public @Nullable String getApiVersion() {
		return this.apiVersion;
	}

	@Override
	public @Nullable String getKind() {
		return this.kind;
	}

	@Override
	public @Nullable V1ListMeta getMetadata() {
		return this.metadata;
	}

	@Override
	public List<MetadataPod> getItems() {
		return this.items;
	}

}
