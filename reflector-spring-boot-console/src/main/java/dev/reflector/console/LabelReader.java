package dev.reflector.console;

import java.lang.reflect.Method;
import java.util.Map;

import dev.reflector.ObjectMeta;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;

/**
 * Reads the labels of the objects of one type, by {@code metadata().labels()} or the
 * getters {@code getMetadata().getLabels()}. If a type does not declare these methods,
 * its objects have no labels. Thread-safe.
 */
final class LabelReader {

	private @Nullable Class<?> type;

	private @Nullable Method metadata;

	private @Nullable Method labels;

	synchronized Map<String, String> labels(Object object) {
		if (object.getClass() != this.type) {
			this.type = object.getClass();
			this.metadata = method(this.type, "metadata", "getMetadata");
			this.labels = null;
		}
		Object meta = (this.metadata != null) ? ReflectionUtils.invokeMethod(this.metadata, object) : null;
		if (meta instanceof ObjectMeta known) {
			Map<String, String> labels = known.labels();
			return (labels != null) ? labels : Map.of();
		}
		if (meta != null && (this.labels == null || this.labels.getDeclaringClass() != meta.getClass())) {
			this.labels = method(meta.getClass(), "labels", "getLabels");
		}
		Object result = (meta != null && this.labels != null) ? ReflectionUtils.invokeMethod(this.labels, meta) : null;
		return (result instanceof Map<?, ?> map) ? texts(map) : Map.of();
	}

	@SuppressWarnings("unchecked")
	private static Map<String, String> texts(Map<?, ?> map) {
		boolean texts = map.entrySet()
			.stream()
			.allMatch((entry) -> entry.getKey() instanceof String && entry.getValue() instanceof String);
		return texts ? (Map<String, String>) map : Map.of();
	}

	private static @Nullable Method method(Class<?> type, String... names) {
		for (String name : names) {
			Method method = ReflectionUtils.findMethod(type, name);
			if (method != null) {
				ReflectionUtils.makeAccessible(method);
				return method;
			}
		}
		return null;
	}

}
