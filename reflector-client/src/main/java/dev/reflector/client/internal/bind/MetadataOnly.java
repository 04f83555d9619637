package dev.reflector.client.internal.bind;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.annotation.JacksonAnnotation;
import dev.reflector.GenericResource;

/** Recognizes types that declare only the metadata of an object. */
public final class MetadataOnly {

	private static final String METADATA = "metadata";

	private MetadataOnly() {
	}

	/**
	 * Returns whether a type declares {@code metadata} and nothing else. For a type with
	 * Jackson annotations the result is {@code false}, because these may add properties.
	 * @param type the type
	 * @return {@code true} if the type needs only the metadata
	 */
	public static boolean declares(Class<?> type) {
		if (type == GenericResource.class || annotated(type)) {
			return false;
		}
		List<String> names = new ArrayList<>();
		for (Class<?> current = type; current != null && current != Object.class; current = current.getSuperclass()) {
			for (Field field : current.getDeclaredFields()) {
				if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
					names.add(field.getName());
				}
			}
		}
		return names.equals(List.of(METADATA));
	}

	private static boolean annotated(Class<?> type) {
		for (Class<?> current = type; current != null && current != Object.class; current = current.getSuperclass()) {
			if (jackson(current) || List.of(current.getDeclaredFields()).stream().anyMatch(MetadataOnly::jackson)
					|| List.of(current.getDeclaredConstructors()).stream().anyMatch(MetadataOnly::jackson)
					|| List.of(current.getDeclaredMethods()).stream().anyMatch(MetadataOnly::takesMore)) {
				return true;
			}
		}
		return false;
	}

	private static boolean takesMore(Method method) {
		boolean setter = method.getName().startsWith("set") && method.getParameterCount() == 1
				&& !method.getName().equals("setMetadata");
		return setter || jackson(method);
	}

	private static boolean jackson(AnnotatedElement element) {
		return List.of(element.getAnnotations())
			.stream()
			.anyMatch((annotation) -> annotation.annotationType().isAnnotationPresent(JacksonAnnotation.class));
	}

}
