package dev.reflector.sample.kafka.publisher;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a widget that are published.
 *
 * @param metadata the metadata
 * @param spec the desired state
 */
@ReflectedResource(apiVersion = "example.com/v1")
record Widget(ObjectMeta metadata, @Nullable Spec spec) {

	record Spec(int size, @Nullable String colour) {

	}

}
