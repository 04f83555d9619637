package com.example.moved;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "v1")
record Pod(ObjectMeta metadata, Status status) {

	record Status(String phase) {
	}

}
