package dev.reflector.autoconfigure.samekind.a;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "v1")
public record Widget(ObjectMeta metadata) {

}
