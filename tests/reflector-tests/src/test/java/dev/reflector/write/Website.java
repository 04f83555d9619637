package dev.reflector.write;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "example.com/v1")
record Website(ObjectMeta metadata, Spec spec, Status status) {

	record Spec(String host, int replicas) {
	}

	record Status(String phase) {
	}

}
