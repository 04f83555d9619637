package com.example.shop;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "example.com/v1")
public record Invoice(ObjectMeta metadata, int price) implements Priced {
}
