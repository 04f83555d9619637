package dev.reflector.autoconfigure.duplicatename;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "v1", name = "things")
public record Widget(ObjectMeta metadata) {

}
