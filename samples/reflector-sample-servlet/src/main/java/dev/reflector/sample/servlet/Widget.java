package dev.reflector.sample.servlet;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

/**
 * A widget, with the fields that are mirrored.
 *
 * @param metadata the metadata
 */
@ReflectedResource(apiVersion = "example.com/v1")
record Widget(ObjectMeta metadata) {

}
