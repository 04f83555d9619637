package dev.reflector.sample.console;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;
import org.jspecify.annotations.Nullable;

/**
 * A widget, with the fields that the console mirrors.
 */
@ReflectedResource(apiVersion = "example.com/v1")
record Widget(ObjectMeta metadata, @Nullable Spec spec, @Nullable Status status) {

	record Spec(int size, @Nullable String colour) {

	}

	record Status(int ready) {

	}

}
