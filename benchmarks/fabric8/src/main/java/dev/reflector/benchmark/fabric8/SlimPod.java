package dev.reflector.benchmark.fabric8;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A pod with the fields of the slim type only. Its metadata must be of the client's
 * class, but fields that the slim type lacks are skipped.
 */
@Group("")
@Version("v1")
@Kind("Pod")
@Plural("pods")
@JsonIgnoreProperties(ignoreUnknown = true)
public final class SlimPod extends CustomResource<SlimSpec, SlimStatus> implements Namespaced {

	@Override
	@JsonIgnoreProperties(value = { "annotations", "managedFields", "ownerReferences", "generateName",
			"creationTimestamp", "generation", "finalizers", "selfLink" }, ignoreUnknown = true)
	public void setMetadata(ObjectMeta metadata) {
		super.setMetadata(metadata);
	}

}
