package com.example.certificates;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "v1", kind = "Secret")
record SecretName(ObjectMeta metadata) {
}
