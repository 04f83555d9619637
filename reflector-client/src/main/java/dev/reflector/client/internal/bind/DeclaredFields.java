package dev.reflector.client.internal.bind;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonSubTypes;

/**
 * Describes what a type declares, so that a change of the type can be noticed. The
 * description has the names, types and Jackson annotations of all fields, the Jackson
 * annotations of methods and constructors, and the subtypes. It includes the types of
 * fields, except types of the JDK, and does not depend on the order of the declarations
 * in the source.
 */
final class DeclaredFields {

	private static final int DIGITS = 16;

	private final StringBuilder description = new StringBuilder();

	private final Set<Class<?>> described = new HashSet<>();

	private DeclaredFields() {
	}

	/**
	 * Returns a digest of what a type declares.
	 * @param type the type
	 * @param more an additional text to include in the digest
	 * @return the digest, which is equal only for types with equal declarations
	 */
	static String digest(Class<?> type, String more) {
		DeclaredFields fields = new DeclaredFields();
		fields.describe(type);
		fields.description.append(more);
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
				constants(type);
			}
			subtypes(type);
			for (Class<?> part = type; part != null && isOurs(part); part = part.getSuperclass()) {
				Stream.of(part.getDeclaredFields())
					.filter((field) -> !Modifier.isStatic(field.getModifiers()))
					.sorted(Comparator.comparing(Field::getName))
					.forEach(this::describe);
				members(part);
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

	private void constants(Class<?> type) {
		Stream.of(type.getDeclaredFields()).filter(Field::isEnumConstant).forEach((constant) -> {
			this.description.append(' ').append(constant.getName());
			annotations(constant);
		});
	}

	private void subtypes(Class<?> type) {
		Class<?>[] permitted = type.getPermittedSubclasses();
		if (permitted != null) {
			Stream.of(permitted).sorted(Comparator.comparing(Class::getName)).forEach(this::describe);
		}
		JsonSubTypes named = type.getDeclaredAnnotation(JsonSubTypes.class);
		if (named != null) {
			Stream.of(named.value()).forEach((subtype) -> describe(subtype.value()));
		}
	}

	/**
	 * Adds the methods and constructors that have Jackson annotations, also on
	 * parameters.
	 */
	private void members(Class<?> type) {
		Executable[] members;
		try {
			members = Stream.concat(Stream.of(type.getDeclaredConstructors()), Stream.of(type.getDeclaredMethods()))
				.toArray(Executable[]::new);
		}
		catch (LinkageError ex) {
			// Jackson could not read the type either
			return;
		}
		Stream.of(members)
			.filter((member) -> !member.isSynthetic())
			.sorted(Comparator.comparing(Executable::toGenericString))
			.forEach((member) -> {
				List<String> found = new ArrayList<>(found(member));
				Stream.of(member.getParameters()).forEach((parameter) -> found.addAll(found(parameter)));
				if (!found.isEmpty()) {
					this.description.append(' ').append(member.getName()).append(found);
				}
			});
	}

	private void annotations(AnnotatedElement element) {
		found(element).forEach(this.description::append);
	}

	private static List<String> found(AnnotatedElement element) {
		return Stream.of(element.getAnnotations())
			.filter((annotation) -> annotation.annotationType().getName().contains(".jackson."))
			.map(Annotation::toString)
			.sorted()
			.toList();
	}

	private static boolean isOurs(Class<?> type) {
		return !type.isPrimitive() && type.getModule() != Object.class.getModule()
				&& !type.getName().startsWith("java.") && !type.getName().startsWith("tools.jackson.");
	}

}
