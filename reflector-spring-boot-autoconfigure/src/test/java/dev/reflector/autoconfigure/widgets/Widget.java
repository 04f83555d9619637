package dev.reflector.autoconfigure.widgets;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "example.com/v1")
public record Widget(ObjectMeta metadata, int size) {

}
