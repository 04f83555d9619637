package com.example.shop;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

// tag::order[]
@ReflectedResource(apiVersion = "example.com/v1")
public record Order(ObjectMeta metadata, int price) implements Priced {
}
// end::order[]
