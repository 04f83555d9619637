package dev.reflector.autoconfigure.badversion;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "a/b/c")
public record Widget(ObjectMeta metadata) {

}
