package dev.reflector.autoconfigure.internal.registration;

import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.reflector.ReflectedResource;
import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;

import org.springframework.core.env.Environment;

/**
 * Reads the texts of annotations and registrations, including the names of reflectors. It
 * does not need bound properties, so names can be read before properties are bound.
 */
public final class ReflectorNames {

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

	private final Environment environment;

	ReflectorNames(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Reads the name of the reflector of an annotated type.
	 * @param type the type
	 * @return the name
	 */
	String name(Class<?> type) {
		ReflectedResource annotation = annotation(type);
		String plural = text(type, "plural", annotation.plural(), "");
		String name = text(type, "name", annotation.name(),
				plural.isEmpty() ? ResourceType.englishPlural(kind(type, annotation)) : plural);
		if (!isName(name)) {
			throw new ReflectorConfigurationException(
					type.getName() + " cannot be mirrored: '" + name + "' is not a valid name of a reflector",
					"Set 'name' of the annotation to letters, digits, dots, dashes and underscores that begin with a "
							+ "letter or digit.");
		}
		return name;
	}

	/**
	 * Reads the name of the reflector of a registration.
	 * @param bean name of the registration's bean
	 * @param registration the registration
	 * @return the name
	 */
	String name(String bean, ReflectedResourceRegistration<?> registration) {
		String name = text(bean, "name", registration.name());
		if (name.isEmpty()) {
			name = ResourceType.englishPlural(text(bean, "kind", registration.kind()));
		}
		if (!isName(name)) {
			throw new ReflectorConfigurationException(
					"The registration '" + bean + "' cannot be used: '" + name + "' is not a valid name of a reflector",
					"Use letters, digits, dots, dashes and underscores that begin with a letter or digit.");
		}
		return name;
	}

	static ReflectedResource annotation(Class<?> type) {
		ReflectedResource annotation = type.getAnnotation(ReflectedResource.class);
		if (annotation == null) {
			throw new ReflectorConfigurationException(
					type.getName() + " cannot be mirrored: it is not annotated with @ReflectedResource",
					"Annotate it.");
		}
		return annotation;
	}

	String kind(Class<?> type, ReflectedResource annotation) {
		return text(type, "kind", annotation.kind(), type.getSimpleName());
	}

	String text(Class<?> type, String attribute, String value, String defaultValue) {
		String resolved = resolve(value,
				() -> type.getName() + " cannot be mirrored: '" + attribute + "' of its annotation: ");
		return resolved.isEmpty() ? defaultValue : resolved;
	}

	String text(String bean, String component, String value) {
		return resolve(value, () -> "The registration '" + bean + "' cannot be used: its '" + component + "': ");
	}

	private String resolve(String value, Supplier<String> complaint) {
		try {
			return this.environment.resolveRequiredPlaceholders(value).strip();
		}
		catch (IllegalArgumentException ex) {
			throw new ReflectorConfigurationException(complaint.get() + ex.getMessage(),
					"Define the property, or give the placeholder a default value.", ex);
		}
	}

	static boolean isName(String name) {
		return NAME.matcher(name).matches();
	}

}
