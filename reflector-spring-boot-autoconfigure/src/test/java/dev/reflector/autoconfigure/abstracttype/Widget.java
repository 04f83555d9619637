package dev.reflector.autoconfigure.abstracttype;

import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "v1")
public abstract class Widget {

}
