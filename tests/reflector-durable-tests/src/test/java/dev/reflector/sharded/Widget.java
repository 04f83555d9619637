package dev.reflector.sharded;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "example.com/v1")
record Widget(ObjectMeta metadata, int size) {
}
