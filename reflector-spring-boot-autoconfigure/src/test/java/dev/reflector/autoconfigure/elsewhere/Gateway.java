package dev.reflector.autoconfigure.elsewhere;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "v1")
public record Gateway(ObjectMeta metadata) {

}
