package dev.reflector.autoconfigure.badperiod;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "v1", resyncPeriod = "often")
public record Widget(ObjectMeta metadata) {

}
