package dev.reflector.restarted;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "example.com/v1")
record Widget(ObjectMeta metadata, Spec spec) {

	record Spec(int size) {

	}

}
