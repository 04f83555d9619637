package dev.reflector.modulith;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;
import org.jspecify.annotations.Nullable;

/**
 * The mirrored fields of a widget.
 *
 * @param metadata the metadata
 * @param spec the desired state
 */
@ReflectedResource(apiVersion = "example.com/v1")
record Widget(ObjectMeta metadata, @Nullable Spec spec) {

	record Spec(int size) {

	}

}
