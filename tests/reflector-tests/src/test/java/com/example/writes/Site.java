package com.example.writes;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "example.com/v1")
record Site(ObjectMeta metadata, Spec spec) {

	record Spec(String host) {

	}

}
