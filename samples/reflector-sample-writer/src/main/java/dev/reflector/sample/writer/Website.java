package dev.reflector.sample.writer;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "example.com/v1")
record Website(ObjectMeta metadata, Spec spec) {

	record Spec(String host) {

	}

}
