package dev.reflector.sample.console;

import org.jspecify.annotations.Nullable;

/**
 * An object as the page shows it.
 *
 * @param namespace its namespace, or {@code null}
 * @param name its name
 * @param resourceVersion its version
 * @param summary its state in a few words
 */
record MirroredObject(@Nullable String namespace, @Nullable String name, @Nullable String resourceVersion,
		String summary) {

	static MirroredObject of(Object resource) {
		if (resource instanceof Widget widget) {
			Widget.Spec spec = widget.spec();
			Widget.Status status = widget.status();
			String summary = (spec == null) ? "no spec"
					: "size " + spec.size() + ((spec.colour() != null) ? ", " + spec.colour() : "");
			return new MirroredObject(widget.metadata().namespace(), widget.metadata().name(),
					widget.metadata().resourceVersion(),
					summary + ((status != null) ? ", " + status.ready() + " ready" : ""));
		}
		if (resource instanceof Deployment deployment) {
			int wanted = (deployment.spec() != null) ? deployment.spec().replicas() : 0;
			int ready = (deployment.status() != null) ? deployment.status().readyReplicas() : 0;
			return new MirroredObject(deployment.metadata().namespace(), deployment.metadata().name(),
					deployment.metadata().resourceVersion(), ready + " of " + wanted + " ready");
		}
		return new MirroredObject(null, null, null, resource.getClass().getSimpleName());
	}

}
