package dev.reflector.autoconfigure.restarted;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "example.com/v1")
record Gadget(ObjectMeta metadata) {

}
