package dev.reflector.autoconfigure.nometadata;

import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "v1")
public record Widget(String name) {

}
