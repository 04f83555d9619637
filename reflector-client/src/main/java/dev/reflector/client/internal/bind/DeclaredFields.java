package dev.reflector.client.internal.bind;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Describes what a type declares, down to types of the JDK, so that a change can be
 * noticed: names, types and Jackson's annotations of all fields, in an order that does
 * not depend on that of the source.
 */
final class DeclaredFields {

	private static final int DIGITS = 16;

	private final StringBuilder description = new StringBuilder();

	private final Set<Class<?>> described = new HashSet<>();

	private DeclaredFields() {
	}

	/**
	 * A digest of what a type declares.
	 * @param type the type
	 * @return the digest, which two types share only if they declare the same
	 */
	static String digest(Class<?> type) {
		DeclaredFields fields = new DeclaredFields();
		fields.describe(type);
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256")
				.digest(fields.description.toString().getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest).substring(0, DIGITS);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every JVM has SHA-256", ex);
		}
	}

	private void describe(Type type) {
		if (type instanceof Class<?> declared) {
			describe(declared);
		}
		else if (type instanceof ParameterizedType parameterized) {
			describe(parameterized.getRawType());
			Stream.of(parameterized.getActualTypeArguments()).forEach(this::describe);
		}
		else if (type instanceof GenericArrayType array) {
			describe(array.getGenericComponentType());
		}
		else if (type instanceof WildcardType wildcard) {
			Stream.of(wildcard.getUpperBounds()).forEach(this::describe);
		}
		else {
			this.description.append(type.getTypeName());
		}
	}

	private void describe(Class<?> type) {
		if (type.isArray()) {
			describe(type.getComponentType());
			return;
		}
		this.description.append('<').append(isOurs(type) ? type.getSimpleName() : type.getName());
		if (isOurs(type) && this.described.add(type)) {
			annotations(type);
			if (type.isEnum()) {
				this.description.append(Arrays.toString(type.getEnumConstants()));
			}
			for (Class<?> part = type; part != null && isOurs(part); part = part.getSuperclass()) {
				Stream.of(part.getDeclaredFields())
					.filter((field) -> !Modifier.isStatic(field.getModifiers()))
					.sorted(Comparator.comparing(Field::getName))
					.forEach(this::describe);
			}
		}
		this.description.append('>');
	}

	private void describe(Field field) {
		this.description.append(' ').append(field.getName());
		annotations(field);
		this.description.append(':');
		describe(field.getGenericType());
	}

	private void annotations(AnnotatedElement element) {
		Stream.of(element.getAnnotations())
			.filter((annotation) -> annotation.annotationType().getName().contains(".jackson."))
			.map(Annotation::toString)
			.sorted()
			.forEach(this.description::append);
	}

	private static boolean isOurs(Class<?> type) {
		return !type.isPrimitive() && type.getModule() != Object.class.getModule()
				&& !type.getName().startsWith("java.") && !type.getName().startsWith("tools.jackson.");
	}

}
