package dev.reflector.client.internal.bind;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Finds annotations of Jackson 2 that have no effect, because Jackson 3 has its own
 * annotations instead. Annotations of the package
 * {@code com.fasterxml.jackson.annotation} work with both versions.
 */
public final class FormerAnnotations {

	private static final String PACKAGE = "com.fasterxml.jackson.databind.";

	private static final boolean PRESENT = ClassUtils.isPresent(PACKAGE + "annotation.JsonDeserialize",
			FormerAnnotations.class.getClassLoader());

	/** The largest number of types that are inspected. */
	private static final int MOST = 500;

	private FormerAnnotations() {
	}

	/**
	 * Inspects a type and the types of its components.
	 * @param type the type
	 * @return the first annotation of Jackson 2 and its place, or {@code null} for none
	 */
	public static @Nullable String find(Class<?> type) {
		if (!PRESENT) {
			return null;
		}
		Set<Class<?>> known = new HashSet<>();
		Deque<Class<?>> types = new ArrayDeque<>();
		visit(type, known, types);
		for (Class<?> next = types.poll(); next != null; next = types.poll()) {
			String found = findIn(next);
			if (found != null) {
				return found;
			}
			for (Field field : next.getDeclaredFields()) {
				visit(field.getGenericType(), known, types);
			}
		}
		return null;
	}

	private static void visit(@Nullable Type type, Set<Class<?>> known, Deque<Class<?>> types) {
		if (type instanceof ParameterizedType parameterized) {
			visit(parameterized.getRawType(), known, types);
			for (Type argument : parameterized.getActualTypeArguments()) {
				visit(argument, known, types);
			}
		}
		if (type instanceof Class<?> plain) {
			Class<?> each = plain.isArray() ? plain.getComponentType() : plain;
			if (!each.isPrimitive() && !each.getName().startsWith("java.") && known.size() < MOST && known.add(each)) {
				types.add(each);
				visit(each.getGenericSuperclass(), known, types);
			}
		}
	}

	private static @Nullable String findIn(Class<?> type) {
		List<AnnotatedElement> elements = new ArrayList<>(List.of(type));
		elements.addAll(List.of(type.getDeclaredFields()));
		elements.addAll(List.of(type.getDeclaredMethods()));
		for (Constructor<?> constructor : type.getDeclaredConstructors()) {
			elements.add(constructor);
			elements.addAll(List.of(constructor.getParameters()));
		}
		for (AnnotatedElement element : elements) {
			for (Annotation annotation : element.getDeclaredAnnotations()) {
				Class<? extends Annotation> found = annotation.annotationType();
				if (found.getName().startsWith(PACKAGE) && saysSomething(annotation)) {
					return "@" + found.getName() + " of " + type.getName();
				}
			}
		}
		return null;
	}

	/**
	 * Returns whether an attribute of an annotation differs from its default. Annotations
	 * with defaults only are not reported, because model classes of other clients have
	 * them.
	 */
	private static boolean saysSomething(Annotation annotation) {
		for (Method attribute : annotation.annotationType().getDeclaredMethods()) {
			try {
				if (!Objects.deepEquals(attribute.invoke(annotation), attribute.getDefaultValue())) {
					return true;
				}
			}
			catch (ReflectiveOperationException ex) {
				return true;
			}
		}
		return false;
	}

}
