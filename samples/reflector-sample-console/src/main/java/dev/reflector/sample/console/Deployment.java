package dev.reflector.sample.console;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;
import org.jspecify.annotations.Nullable;

/**
 * A deployment, with the fields that the console mirrors.
 */
@ReflectedResource(apiVersion = "apps/v1")
record Deployment(ObjectMeta metadata, @Nullable Spec spec, @Nullable Status status) {

	record Spec(int replicas) {

	}

	record Status(int readyReplicas) {

	}

}
