package dev.reflector.sample.console;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;
import org.jspecify.annotations.Nullable;

/**
 * A deployment, as far as the console wants to know it.
 */
@ReflectedResource(apiVersion = "apps/v1")
record Deployment(ObjectMeta metadata, @Nullable Spec spec, @Nullable Status status) {

	record Spec(int replicas) {

	}

	record Status(int readyReplicas) {

	}

}
