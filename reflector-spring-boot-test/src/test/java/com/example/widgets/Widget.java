package com.example.widgets;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "example.com/v1")
public record Widget(ObjectMeta metadata, Spec spec) {

	public record Spec(int size) {

	}

}
