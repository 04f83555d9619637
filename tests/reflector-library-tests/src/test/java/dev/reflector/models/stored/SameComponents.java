package dev.reflector.models.stored;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Compares objects field by field, whatever their {@code equals} compares.
 */
final class SameComponents {

	private static final Map<Class<?>, List<Field>> FIELDS = new HashMap<>();

	private SameComponents() {
	}

	/** Returns the place where two objects differ, or {@code null} if they are equal. */
	static @Nullable String difference(@Nullable Object one, @Nullable Object other) {
		return difference(one, other, "");
	}

	private static @Nullable String difference(@Nullable Object one, @Nullable Object other, String path) {
		if (one == null || other == null) {
			return (one == other) ? null : path + ": " + text(one) + " became " + text(other);
		}
		if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> otherMap) {
			return ofMaps(map, otherMap, path);
		}
		if (one instanceof Set<?> && other instanceof Set<?>) {
			return one.equals(other) ? null : path + ": " + text(one) + " became " + text(other);
		}
		if (one instanceof List<?> list && other instanceof List<?> otherList) {
			return ofLists(list, otherList, path);
		}
		if (one.getClass() != other.getClass()) {
			return path + ": " + text(one) + " became " + text(other);
		}
		if (one.getClass().isArray()) {
			return ofLists(elements(one), elements(other), path);
		}
		if (one instanceof Optional<?> optional) {
			return difference(optional.orElse(null), ((Optional<?>) other).orElse(null), path + "?");
		}
		if (one instanceof AtomicReference<?> reference) {
			return difference(reference.get(), ((AtomicReference<?>) other).get(), path + "?");
		}
		if (isPlatform(one)) {
			boolean same = comparesByText(one) ? one.toString().equals(other.toString()) : one.equals(other);
			return same ? null : path + ": " + text(one) + " became " + text(other);
		}
		return ofFields(one, other, path);
	}

	private static boolean isPlatform(Object value) {
		String name = value.getClass().getName();
		return value instanceof Enum || name.startsWith("java.") || name.startsWith("javax.") || name.startsWith("sun.")
				|| name.startsWith("tools.jackson.");
	}

	private static boolean comparesByText(Object value) {
		return value instanceof StringBuilder || value instanceof Pattern
				|| value.getClass().getName().startsWith("java.util.concurrent.atomic.");
	}

	private static @Nullable String ofMaps(Map<?, ?> one, Map<?, ?> other, String path) {
		if (!one.keySet().equals(other.keySet())) {
			return path + ": keys " + one.keySet() + " became " + other.keySet();
		}
		for (Map.Entry<?, ?> entry : one.entrySet()) {
			String difference = difference(entry.getValue(), other.get(entry.getKey()),
					path + "[" + entry.getKey() + "]");
			if (difference != null) {
				return difference;
			}
		}
		return null;
	}

	private static @Nullable String ofLists(List<?> one, List<?> other, String path) {
		if (one.size() != other.size()) {
			return path + ": " + text(one) + " became " + text(other);
		}
		for (int index = 0; index < one.size(); index++) {
			String difference = difference(one.get(index), other.get(index), path + "[" + index + "]");
			if (difference != null) {
				return difference;
			}
		}
		return null;
	}

	private static List<@Nullable Object> elements(Object array) {
		List<@Nullable Object> elements = new ArrayList<>();
		for (int index = 0; index < Array.getLength(array); index++) {
			elements.add(Array.get(array, index));
		}
		return elements;
	}

	private static @Nullable String ofFields(Object one, Object other, String path) {
		for (Field field : FIELDS.computeIfAbsent(one.getClass(), SameComponents::fields)) {
			try {
				String difference = difference(field.get(one), field.get(other), path + "." + field.getName());
				if (difference != null) {
					return difference;
				}
			}
			catch (IllegalAccessException ex) {
				throw new IllegalStateException(ex);
			}
		}
		return null;
	}

	private static List<Field> fields(Class<?> type) {
		List<Field> fields = new ArrayList<>();
		for (Class<?> part = type; part != null && part != Object.class; part = part.getSuperclass()) {
			for (Field field : part.getDeclaredFields()) {
				if (!Modifier.isStatic(field.getModifiers())) {
					field.setAccessible(true);
					fields.add(field);
				}
			}
		}
		return fields;
	}

	private static String text(@Nullable Object value) {
		return (value == null) ? "null" : value + " (" + value.getClass().getSimpleName() + ")";
	}

}
