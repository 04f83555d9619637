package dev.reflector.client.internal.write;

import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Calendar;
import java.util.Date;
import java.util.HashSet;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.reflector.ResourceType;
import dev.reflector.write.AppliedMeta;
import dev.reflector.write.AppliedResource;
import dev.reflector.write.InvalidAppliedTypeException;

/**
 * Checks that a type can be applied: its annotation, its metadata and the types of its
 * components.
 */
public final class AppliedShape {

	private static final int MAX_MANAGER = 128;

	private static final String STATUS = "status";

	/**
	 * The package of date and time types. Kubernetes does not accept the JSON form of
	 * these types, except of those in {@link #EXACT}.
	 */
	private static final String TIME = "java.time.";

	/**
	 * The date and time types whose JSON form is what Kubernetes expects, such as
	 * {@code 2026-03-01T10:00:00Z} and {@code 2026-03-01}.
	 */
	private static final Set<Class<?>> EXACT = Set.of(Instant.class, LocalDate.class);

	private final Class<?> type;

	private final Set<Type> seen = new HashSet<>();

	private AppliedShape(Class<?> type) {
		this.type = type;
	}

	/**
	 * Checks a type. Makes no request and reads no placeholders.
	 * @param type a type annotated with {@link AppliedResource}
	 * @throws InvalidAppliedTypeException if the type cannot be applied
	 */
	public static void check(Class<?> type) {
		AppliedResource declared = type.getAnnotation(AppliedResource.class);
		if (declared == null) {
			throw new InvalidAppliedTypeException(type, "is not applied: it has no @AppliedResource",
					"Declare a record with exactly the fields that the application owns, annotated with "
							+ "@AppliedResource; mirrored types are never applied.");
		}
		if (!type.isRecord()) {
			throw new InvalidAppliedTypeException(type, "cannot be applied: it is not a record", "Make it a record.");
		}
		if (!declared.subresource().isEmpty() && !declared.subresource().equals(STATUS)) {
			throw new InvalidAppliedTypeException(type,
					"cannot be applied: this library does not write the subresource '" + declared.subresource() + "'",
					"Declare the subresource 'status', or none.");
		}
		new AppliedShape(type).checkMetadata(declared.subresource().equals(STATUS));
		new AppliedShape(type).visit(type, "");
	}

	/**
	 * Checks the name of a manager.
	 * @param type the type that is applied
	 * @param manager the name of the manager
	 * @return the name
	 * @throws InvalidAppliedTypeException if the server would not accept the name
	 */
	static String manager(Class<?> type, String manager) {
		boolean printable = manager.codePoints().allMatch(AppliedShape::isPrintable);
		int bytes = manager.getBytes(StandardCharsets.UTF_8).length;
		if (bytes > MAX_MANAGER || !printable) {
			throw new InvalidAppliedTypeException(type,
					"cannot be applied: its manager '" + manager + "' "
							+ (printable ? "has " + bytes + " bytes in UTF-8, and 128 are allowed"
									: "has characters that cannot be printed"),
					"Name another one with 'manager' of @AppliedResource.");
		}
		return manager;
	}

	/**
	 * Returns whether the server accepts a character in the name of a manager. The server
	 * checks names with Go's {@code unicode.IsPrint}, for which the only space is the one
	 * of ASCII.
	 */
	private static boolean isPrintable(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
					Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
				false;
			case Character.SPACE_SEPARATOR -> character == ' ';
			default -> true;
		};
	}

	/**
	 * Returns the collection of a type.
	 * @param apiVersion the API version
	 * @param kind the kind; empty for the name of the class
	 * @param plural the plural; empty to ask the server
	 * @param type the type
	 * @return the collection
	 */
	static ResourceType resource(String apiVersion, String kind, String plural, Class<?> type) {
		return ResourceType.of(apiVersion, kind.isEmpty() ? type.getSimpleName() : kind,
				plural.isEmpty() ? null : plural);
	}

	private void checkMetadata(boolean status) {
		RecordComponent metadata = null;
		for (RecordComponent component : this.type.getRecordComponents()) {
			if (component.getType() == AppliedMeta.class) {
				metadata = component;
			}
		}
		if (status && metadata != null) {
			throw new InvalidAppliedTypeException(this.type,
					"cannot be applied as a status: it has metadata in '" + metadata.getName() + "'",
					"Declare the components of the status alone; the metadata are a parameter of status(…).");
		}
		if (!status && (metadata == null || !metadata.getName().equals("metadata"))) {
			throw new InvalidAppliedTypeException(this.type, "cannot be applied: it has no component 'metadata'",
					"Declare a component 'AppliedMeta metadata'.");
		}
	}

	private void visit(Type visited, String path) {
		if (visited instanceof ParameterizedType parameterized) {
			visit(parameterized.getRawType(), path);
			for (Type argument : parameterized.getActualTypeArguments()) {
				visit(argument, path);
			}
		}
		else if (visited instanceof WildcardType wildcard) {
			for (Type bound : wildcard.getUpperBounds()) {
				visit(bound, path);
			}
		}
		else if (visited instanceof GenericArrayType array) {
			visit(array.getGenericComponentType(), path);
		}
		else if (visited instanceof Class<?> declared && this.seen.add(declared)) {
			visitClass(declared, path);
		}
	}

	private void visitClass(Class<?> declared, String path) {
		if (isInexact(declared)) {
			throw new InvalidAppliedTypeException(this.type,
					"cannot be applied: its component '" + path + "' is a " + declared.getName()
							+ ", which is not written in Kubernetes' form",
					"Declare a String, for a point in time an Instant, or for a date a LocalDate.");
		}
		if (declared.isSealed() && !declared.isEnum()) {
			for (Class<?> permitted : declared.getPermittedSubclasses()) {
				visit(permitted, path);
			}
		}
		JsonSubTypes named = declared.getDeclaredAnnotation(JsonSubTypes.class);
		if (named != null) {
			for (JsonSubTypes.Type subtype : named.value()) {
				visit(subtype.value(), path);
			}
		}
		if (declared.isArray()) {
			visit(declared.getComponentType(), path);
		}
		else if (declared.isRecord()) {
			for (RecordComponent component : declared.getRecordComponents()) {
				visitComponent(component.getName(), component.getType(), component.getGenericType(), path);
			}
		}
		else if (!declared.isEnum() && !declared.isInterface() && !declared.isPrimitive() && isVisited(declared)) {
			visitFields(declared, path);
		}
	}

	/**
	 * Visits the fields of a class and of its superclasses, but no other subclasses of
	 * these.
	 */
	private void visitFields(Class<?> declared, String path) {
		for (Field field : declared.getDeclaredFields()) {
			if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())) {
				visitComponent(field.getName(), field.getType(), field.getGenericType(), path);
			}
		}
		if (declared.getGenericSuperclass() instanceof ParameterizedType parent) {
			for (Type argument : parent.getActualTypeArguments()) {
				visit(argument, path);
			}
		}
		Class<?> superclass = declared.getSuperclass();
		if (superclass != null && isVisited(superclass)) {
			visitFields(superclass, path);
		}
	}

	private static boolean isVisited(Class<?> declared) {
		return !declared.getName().startsWith("java.") && !declared.getName().startsWith("tools.jackson.");
	}

	private static boolean isInexact(Class<?> declared) {
		return (declared.getName().startsWith(TIME) && !EXACT.contains(declared))
				|| Date.class.isAssignableFrom(declared) || Calendar.class.isAssignableFrom(declared);
	}

	private void visitComponent(String name, Class<?> component, Type generic, String path) {
		String place = path.isEmpty() ? name : path + "." + name;
		if (component.isPrimitive()) {
			throw new InvalidAppliedTypeException(this.type,
					"cannot be applied: its component '" + place + "' is a primitive " + component.getName()
							+ ": when it is not set, its zero would be applied and owned",
					"Declare '" + boxed(component) + " " + name + "', of which null is not sent.");
		}
		visit(generic, place);
	}

	private static String boxed(Class<?> primitive) {
		return switch (primitive.getName()) {
			case "int" -> "Integer";
			case "char" -> "Character";
			default -> Character.toUpperCase(primitive.getName().charAt(0)) + primitive.getName().substring(1);
		};
	}

}
