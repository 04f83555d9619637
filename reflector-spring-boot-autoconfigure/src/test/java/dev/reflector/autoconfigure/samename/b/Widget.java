package dev.reflector.autoconfigure.samename.b;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "v1", name = "widgets-b")
public record Widget(ObjectMeta metadata) {

}
