package dev.reflector.client.internal.bind;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Member;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.reflector.cache.snapshot.SnapshotException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;

/**
 * Explains why an object could not be read or written. The text has paths and types, but
 * no content of the object, which may be a Secret. The messages of the exception and of
 * its causes may quote the object, so callers use this text and drop the exception.
 */
public final class UnreadableReason {

	private static final Pattern ACCESSOR = Pattern.compile("^(?:get|set|is|with)(?=[A-Z])");

	private static final Pattern SEPARATORS = Pattern.compile("[-_. ]");

	private static final Pattern FOUND = Pattern.compile("Cannot (?:deserialize|coerce|construct).{1,500}? from "
			+ "(Object|Array|String|Boolean|Integer|Floating-point) value ");

	private static final Map<String, String> JSON_TYPES = Map.of("Object", "object", "Array", "array", "String",
			"string", "Boolean", "boolean", "Integer", "number", "Floating-point", "number");

	private UnreadableReason() {
	}

	/**
	 * Explains why an object could not be read or written.
	 * @param failure the exception or error
	 * @return the reason, without any content of the object
	 */
	public static String of(Throwable failure) {
		if (failure instanceof SnapshotException known) {
			// the message of this exception already is such a reason
			return String.valueOf(known.getMessage());
		}
		if (failure instanceof MismatchedInputException mismatched) {
			Class<?> target = mismatched.getTargetType();
			return misfit(mismatched, target) + found(mismatched, target);
		}
		if (failure instanceof ValueInstantiationException instantiation) {
			Throwable cause = instantiation.getCause();
			return "the constructor of the Java type" + at(instantiation) + " threw "
					+ ((cause != null) ? cause : instantiation).getClass().getName();
		}
		if (failure instanceof StreamConstraintsException constraints) {
			return "it goes beyond a limit of the JSON parser: " + constraints.getOriginalMessage();
		}
		if (failure instanceof InputCoercionException number) {
			Class<?> target = number.getTargetType();
			return misfit(number, target) + ": the JSON number is out of its range"
					+ ((target == int.class || target == Integer.class) ? "; declare long" : "");
		}
		if (failure instanceof StreamReadException) {
			return "it is no valid JSON";
		}
		if (failure instanceof JacksonException jackson) {
			Throwable cause = jackson.getCause();
			return "the Java type" + at(jackson) + " failed with "
					+ ((cause != null) ? cause : jackson).getClass().getName();
		}
		if (failure instanceof StackOverflowError) {
			return "it is nested too deeply for the Java type";
		}
		return "it made the Java type throw " + failure.getClass().getName();
	}

	private static String misfit(JacksonException ex, @Nullable Class<?> target) {
		return "the value" + at(ex) + " does not fit "
				+ ((target != null) ? "the Java type " + target.getName() : "the Java type");
	}

	/**
	 * Returns the JSON type of the value, and advice for a string. Empty if the type is
	 * not known.
	 */
	private static String found(MismatchedInputException ex, @Nullable Class<?> target) {
		String found = (ex instanceof InvalidFormatException format) ? json(format.getValue()) : json(ex);
		if (found.isEmpty()) {
			return "";
		}
		return ": it is a JSON " + found + (found.equals("string") ? advice(target) : "");
	}

	private static String advice(@Nullable Class<?> target) {
		return ((target != null && target.isEnum())
				? " and names no constant; give one this name with @JsonProperty, or declare String"
				: "; declare String");
	}

	private static String json(@Nullable Object value) {
		return (value instanceof String) ? "string"
				: (value instanceof Number) ? "number" : (value instanceof Boolean) ? "boolean" : "";
	}

	/**
	 * Returns the JSON type from the beginning of Jackson's message, which comes before
	 * any content of the object. Empty if the message does not begin with a JSON type.
	 */
	private static String json(MismatchedInputException ex) {
		Matcher found = FOUND.matcher(String.valueOf(ex.getOriginalMessage()));
		return found.lookingAt() ? JSON_TYPES.getOrDefault(found.group(1), "") : "";
	}

	private static String at(JacksonException ex) {
		StringBuilder path = new StringBuilder();
		for (JacksonException.Reference reference : ex.getPath()) {
			String name = reference.getPropertyName();
			String shown = (name == null) ? "[" + reference.getIndex() + "]"
					: isDeclared(reference.from(), name) ? name : "*";
			path.append((path.isEmpty() || name == null) ? shown : "." + shown);
		}
		return path.isEmpty() ? "" : " at " + path;
	}

	/**
	 * Returns whether the type of an object declares a property with a name. Other names,
	 * such as the keys of a map, are content of the object.
	 */
	private static boolean isDeclared(@Nullable Object from, String name) {
		Class<?> type = (from instanceof Class<?> known) ? known : (from != null) ? from.getClass() : null;
		String wanted = plain(name);
		for (Class<?> part = type; part != null && part != Object.class; part = part.getSuperclass()) {
			if (members(part)
				.anyMatch((member) -> isName(member, wanted) || isAnnotated((AnnotatedElement) member, name))
					|| parameters(part).anyMatch((parameter) -> isAnnotated(parameter, name))) {
				return true;
			}
		}
		return false;
	}

	private static Stream<Member> members(Class<?> type) {
		// the members of containers, such as maps, are not properties
		return type.getName().startsWith("java.") ? Stream.empty()
				: Stream.concat(Arrays.stream(type.getDeclaredFields()), Arrays.stream(type.getDeclaredMethods()));
	}

	private static Stream<AnnotatedElement> parameters(Class<?> type) {
		return Arrays.stream(type.getDeclaredConstructors()).map(Constructor::getParameters).flatMap(Arrays::stream);
	}

	private static boolean isName(Member member, String wanted) {
		return plain(member.getName()).equals(wanted)
				|| plain(ACCESSOR.matcher(member.getName()).replaceFirst("")).equals(wanted);
	}

	private static boolean isAnnotated(AnnotatedElement element, String name) {
		JsonProperty property = element.getAnnotation(JsonProperty.class);
		JsonAlias alias = element.getAnnotation(JsonAlias.class);
		return (property != null && property.value().equals(name))
				|| (alias != null && Arrays.asList(alias.value()).contains(name));
	}

	/**
	 * Returns a name without separators and in lower case, because the names in JSON may
	 * have another style than the names in Java.
	 */
	private static String plain(String name) {
		return SEPARATORS.matcher(name).replaceAll("").toLowerCase(Locale.ROOT);
	}

}
