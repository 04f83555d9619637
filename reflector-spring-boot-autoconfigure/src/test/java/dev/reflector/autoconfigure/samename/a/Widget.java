package dev.reflector.autoconfigure.samename.a;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "v1", name = "widgets-a")
public record Widget(ObjectMeta metadata) {

}
