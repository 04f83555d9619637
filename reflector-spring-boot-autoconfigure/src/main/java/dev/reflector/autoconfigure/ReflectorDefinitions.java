package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.reflector.ReflectedResource;
import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Reads the definition of a reflector from an annotated type: resolves placeholders, then
 * applies what the properties say for the reflector's name.
 */
final class ReflectorDefinitions {

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

	private final ReflectorProperties properties;

	private final Environment environment;

	ReflectorDefinitions(ReflectorProperties properties, Environment environment) {
		this.properties = properties;
		this.environment = environment;
	}

	<T> ReflectorDefinition<T> definition(Class<T> type) {
		ReflectedResource annotation = type.getAnnotation(ReflectedResource.class);
		if (annotation == null) {
			throw invalid(type, "it is not annotated with @ReflectedResource", "Annotate it.");
		}
		String kind = text(type, "kind", annotation.kind(), type.getSimpleName());
		String plural = text(type, "plural", annotation.plural(), "");
		String name = text(type, "name", annotation.name(), plural.isEmpty() ? EnglishPlural.of(kind) : plural);
		if (!NAME.matcher(name).matches()) {
			throw invalid(type, "'" + name + "' is no name for a reflector", "Set 'name' of the annotation to letters, "
					+ "digits, dots, dashes and underscores that begin with a letter or digit.");
		}
		ReflectorProperties.Resource overrides = overrides(name);
		plural = Objects.requireNonNullElse(overrides.plural(), plural);
		ResourceType resourceType = resourceType(type, name,
				Objects.requireNonNullElseGet(overrides.apiVersion(),
						() -> text(type, "apiVersion", annotation.apiVersion(), "")),
				Objects.requireNonNullElse(overrides.kind(), kind), plural.isEmpty() ? null : plural);
		return new ReflectorDefinition<>(type, name, resourceType, namespaces(type, annotation, overrides),
				Objects.requireNonNullElseGet(overrides.labelSelector(),
						() -> text(type, "labelSelector", annotation.labelSelector(), "")),
				Objects.requireNonNullElseGet(overrides.fieldSelector(),
						() -> text(type, "fieldSelector", annotation.fieldSelector(), "")),
				Objects.requireNonNullElseGet(overrides.resyncPeriod(), () -> resyncPeriod(type, annotation)),
				overrides.enabled());
	}

	private String text(Class<?> type, String attribute, String value, String defaultValue) {
		try {
			String resolved = this.environment.resolveRequiredPlaceholders(value).strip();
			return resolved.isEmpty() ? defaultValue : resolved;
		}
		catch (IllegalArgumentException ex) {
			throw new ReflectorConfigurationException(
					message(type, "'" + attribute + "' of its annotation: " + ex.getMessage()),
					"Define the property, or give the placeholder a default value.", ex);
		}
	}

	private ReflectorProperties.Resource overrides(String name) {
		Map<String, ReflectorProperties.Resource> resources = this.properties.resources();
		ReflectorProperties.Resource exact = resources.get(name);
		if (exact != null) {
			return exact;
		}
		return resources.entrySet()
			.stream()
			.filter((entry) -> sameName(entry.getKey(), name))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(ReflectorProperties.Resource.NONE);
	}

	/**
	 * Whether a key of {@code reflector.resources} means a reflector. Environment
	 * variables know neither dashes nor capital letters.
	 * @param key the key
	 * @param name name of the reflector
	 * @return whether they are the same
	 */
	static boolean sameName(String key, String name) {
		return uniform(key).equals(uniform(name));
	}

	private static String uniform(String name) {
		return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
	}

	private ResourceType resourceType(Class<?> type, String name, String apiVersion, String kind,
			@Nullable String plural) {
		try {
			return ResourceType.of(apiVersion, kind, plural);
		}
		catch (IllegalArgumentException ex) {
			throw new ReflectorConfigurationException(message(type, ex.getMessage()),
					"Correct 'apiVersion' of the annotation, or set 'reflector.resources." + name + ".api-version'.",
					ex);
		}
	}

	private List<String> namespaces(Class<?> type, ReflectedResource annotation,
			ReflectorProperties.Resource overrides) {
		if (overrides.namespaces() != null) {
			return clean(overrides.namespaces().stream());
		}
		List<String> named = clean(Arrays.stream(annotation.namespaces())
			.map((namespace) -> text(type, "namespaces", namespace, ""))
			.flatMap((namespaces) -> Arrays.stream(StringUtils.commaDelimitedListToStringArray(namespaces))));
		String namespace = this.properties.apiServer().namespace();
		return (named.isEmpty() && namespace != null) ? List.of(namespace) : named;
	}

	private static List<String> clean(Stream<String> namespaces) {
		return namespaces.map(String::strip).filter(StringUtils::hasText).distinct().toList();
	}

	private Duration resyncPeriod(Class<?> type, ReflectedResource annotation) {
		String text = text(type, "resyncPeriod", annotation.resyncPeriod(), "");
		if (text.isEmpty()) {
			return this.properties.resyncPeriod();
		}
		try {
			Duration period = DurationStyle.detectAndParse(text);
			if (!period.isNegative()) {
				return period;
			}
		}
		catch (IllegalArgumentException ex) {
			// reported below, like a negative period
		}
		throw invalid(type, "'resyncPeriod' of its annotation is no duration: '" + text + "'",
				"Use a duration such as '10m' or '1h', or '0s' for no resync.");
	}

	private static ReflectorConfigurationException invalid(Class<?> type, String problem, String action) {
		return new ReflectorConfigurationException(message(type, problem), action);
	}

	private static String message(Class<?> type, @Nullable String problem) {
		return type.getName() + " cannot be mirrored: " + problem;
	}

}
