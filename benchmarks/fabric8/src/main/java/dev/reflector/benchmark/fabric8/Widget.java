package dev.reflector.benchmark.fabric8;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A custom resource with all of its fields.
 */
@Group("example.com")
@Version("v1")
@JsonIgnoreProperties(ignoreUnknown = true)
public final class Widget extends CustomResource<WidgetSpec, SlimStatus> implements Namespaced {

}
