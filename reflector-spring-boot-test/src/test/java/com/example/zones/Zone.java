package com.example.zones;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

/**
 * A node by another name.
 */
@ReflectedResource(apiVersion = "v1", kind = "Node", name = "zones")
public record Zone(ObjectMeta metadata) {

}
