package dev.reflector.guide;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "apps/v1")
public record Deployment(ObjectMeta metadata, Spec spec, Status status) {

	public record Spec(int replicas) {
	}

	public record Status(int readyReplicas) {
	}

}
