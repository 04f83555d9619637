package dev.reflector.autoconfigure.hidden;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "example.com/v1")
record Parcel(ObjectMeta metadata, Content content) {

	record Content(int weight) {

	}

}
