package dev.reflector.sample.servlet;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

/**
 * What is mirrored.
 *
 * @param metadata the metadata
 */
@ReflectedResource(apiVersion = "example.com/v1")
record Widget(ObjectMeta metadata) {

}
