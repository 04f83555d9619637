package com.example;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "apps/v1")
public record Deployment(ObjectMeta metadata, Spec spec, Status status) {

	public int wanted() {
		return this.spec.replicas();
	}

	public int ready() {
		return (this.status != null) ? this.status.readyReplicas() : 0;
	}

	public record Spec(int replicas) {

	}

	public record Status(int readyReplicas) {

	}

}
