package dev.reflector.autoconfigure.interfacetype;

import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "v1")
public interface Widget {

}
