package com.example.table;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "example.com/v1")
record Order(ObjectMeta metadata, int price) {
}
