package com.example;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

/**
 * The one type of an application that mirrors something. The load server says nothing of
 * plurals.
 */
@ReflectedResource(apiVersion = "v1", plural = "pods")
public record Pod(ObjectMeta metadata, Spec spec) {

	public record Spec(String nodeName) {

	}

}
