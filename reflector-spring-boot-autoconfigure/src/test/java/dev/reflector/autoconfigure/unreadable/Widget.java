package dev.reflector.autoconfigure.unreadable;

import java.util.List;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "v1")
public record Widget(ObjectMeta metadata, List<Spec> specs) {

	public interface Spec {

	}

}
