package com.example.kafka;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

/**
 * The record of the guide.
 *
 * @param metadata the metadata
 * @param spec the desired state
 */
@ReflectedResource(apiVersion = "example.com/v1")
record Widget(ObjectMeta metadata, Spec spec) {

	record Spec(int size) {

	}

}
