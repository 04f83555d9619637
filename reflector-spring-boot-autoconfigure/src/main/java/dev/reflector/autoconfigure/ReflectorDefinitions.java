package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.reflector.GenericResource;
import dev.reflector.PrintableText;
import dev.reflector.ReflectedResource;
import dev.reflector.ResourceType;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Reads the definition of a reflector: from an annotated type, with placeholders resolved
 * and what the properties say for the reflector's name applied, or from properties alone.
 */
final class ReflectorDefinitions {

	/** As servers want them (RFC 1123). */
	private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

	private final ReflectorProperties properties;

	private final ReflectorNames names;

	ReflectorDefinitions(ReflectorProperties properties, Environment environment) {
		this.properties = properties;
		this.names = new ReflectorNames(environment);
	}

	/**
	 * The definition of an annotated type.
	 * @param <T> the type
	 * @param type the type
	 * @return what annotation and properties say
	 */
	<T> ReflectorDefinition<T> definition(Class<T> type) {
		ReflectedResource annotation = ReflectorNames.annotation(type);
		String name = this.names.name(type);
		ReflectorProperties.Resource overrides = overrides(name);
		String plural = Objects.requireNonNullElseGet(overrides.plural(),
				() -> text(type, "plural", annotation.plural()));
		ResourceType resourceType = resourceType(type.getName(),
				"Correct 'apiVersion' of the annotation, or set 'reflector.resources." + name + ".api-version'.",
				Objects.requireNonNullElseGet(overrides.apiVersion(),
						() -> text(type, "apiVersion", annotation.apiVersion())),
				Objects.requireNonNullElseGet(overrides.kind(), () -> this.names.kind(type, annotation)), plural);
		return SelectorSyntax.checked(new ReflectorDefinition<>(type, name, resourceType, namespaces(name, overrides,
				() -> Arrays.stream(annotation.namespaces()).map((namespace) -> text(type, "namespaces", namespace))),
				Objects.requireNonNullElseGet(overrides.labelSelector(),
						() -> text(type, "labelSelector", annotation.labelSelector())),
				Objects.requireNonNullElseGet(overrides.fieldSelector(),
						() -> text(type, "fieldSelector", annotation.fieldSelector())),
				Objects.requireNonNullElseGet(overrides.resyncPeriod(), () -> resyncPeriod(type, annotation)),
				overrides.enabled(), overrides.metadataOnly()));
	}

	/**
	 * The definition of a type without a class.
	 * @param name name of the reflector
	 * @return what the properties say
	 */
	ReflectorDefinition<GenericResource> generic(String name) {
		ReflectorProperties.Resource settings = overrides(name);
		String key = "reflector.resources." + name;
		String apiVersion = settings.apiVersion();
		String kind = settings.kind();
		if (apiVersion == null || kind == null) {
			throw new ReflectorConfigurationException(
					"'" + key + "' cannot be mirrored: its " + ((apiVersion == null) ? "'api-version'" : "'kind'")
							+ " is gone",
					"Set both '" + key + ".api-version' and '" + key + ".kind': they were there when the application "
							+ "was built.");
		}
		if (!ReflectorNames.isName(name)) {
			throw new ReflectorConfigurationException(
					"'" + key + "' cannot be mirrored: '" + name + "' is no name for a reflector",
					"Use letters, digits, dots, dashes and underscores that begin with a letter or digit.");
		}
		ResourceType resourceType = resourceType("'" + key + "'", "Correct '" + key + ".api-version'.", apiVersion,
				kind, Objects.requireNonNullElse(settings.plural(), "").strip());
		return SelectorSyntax.checked(new ReflectorDefinition<>(GenericResource.class, name, resourceType,
				namespaces(name, settings, Stream::empty), Objects.requireNonNullElse(settings.labelSelector(), ""),
				Objects.requireNonNullElse(settings.fieldSelector(), ""),
				Objects.requireNonNullElseGet(settings.resyncPeriod(), this.properties::resyncPeriod),
				settings.enabled(), settings.metadataOnly()));
	}

	/**
	 * The definition of a registered type.
	 * @param <T> the type
	 * @param bean name of the bean that registers it
	 * @param registration what it says
	 * @return what registration and properties say
	 */
	<T> ReflectorDefinition<T> registered(String bean, ReflectedResourceRegistration<T> registration) {
		String name = this.names.name(bean, registration);
		ReflectorProperties.Resource overrides = overrides(name);
		String declared = Objects.requireNonNullElse(registration.plural(), "");
		ResourceType resourceType = resourceType(registration.type().getName(),
				"Correct 'apiVersion' of the registration '" + bean + "', or set 'reflector.resources." + name
						+ ".api-version'.",
				Objects.requireNonNullElseGet(overrides.apiVersion(),
						() -> this.names.text(bean, "apiVersion", registration.apiVersion())),
				Objects.requireNonNullElseGet(overrides.kind(),
						() -> this.names.text(bean, "kind", registration.kind())),
				Objects.requireNonNullElseGet(overrides.plural(), () -> this.names.text(bean, "plural", declared)));
		return SelectorSyntax.checked(new ReflectorDefinition<>(registration.type(), name, resourceType,
				namespaces(name, overrides,
						() -> registration.namespaces()
							.stream()
							.map((namespace) -> this.names.text(bean, "namespaces", namespace))),
				Objects.requireNonNullElseGet(overrides.labelSelector(),
						() -> this.names.text(bean, "labelSelector", registration.labelSelector())),
				Objects.requireNonNullElseGet(overrides.fieldSelector(),
						() -> this.names.text(bean, "fieldSelector", registration.fieldSelector())),
				Objects.requireNonNullElseGet(overrides.resyncPeriod(),
						() -> Objects.requireNonNullElse(registration.resyncPeriod(), this.properties.resyncPeriod())),
				overrides.enabled(), overrides.metadataOnly()));
	}

	private String text(Class<?> type, String attribute, String value) {
		return this.names.text(type, attribute, value, "");
	}

	private ReflectorProperties.Resource overrides(String name) {
		Map<String, ReflectorProperties.Resource> resources = this.properties.resources();
		ReflectorProperties.Resource exact = resources.get(name);
		if (exact != null) {
			return exact;
		}
		return resources.entrySet()
			.stream()
			.filter((entry) -> ReflectorNames.sameName(entry.getKey(), name))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(ReflectorProperties.Resource.NONE);
	}

	private static ResourceType resourceType(String subject, String action, String apiVersion, String kind,
			String plural) {
		try {
			return ResourceType.of(apiVersion, kind, plural.isEmpty() ? null : plural);
		}
		catch (IllegalArgumentException ex) {
			throw new ReflectorConfigurationException(subject + " cannot be mirrored: " + ex.getMessage(), action, ex);
		}
	}

	private List<String> namespaces(String name, ReflectorProperties.Resource overrides,
			Supplier<Stream<String>> declared) {
		if (overrides.namespaces() != null) {
			return clean(name, overrides.namespaces().stream());
		}
		// one placeholder may stand for several
		List<String> named = clean(name, declared.get()
			.flatMap((namespaces) -> Arrays.stream(StringUtils.commaDelimitedListToStringArray(namespaces))));
		String namespace = this.properties.apiServer().namespace();
		return (named.isEmpty() && namespace != null) ? clean(name, Stream.of(namespace)) : named;
	}

	private static List<String> clean(String name, Stream<String> namespaces) {
		return namespaces.map(String::strip)
			.filter(StringUtils::hasText)
			.distinct()
			.map((namespace) -> requirePossible(name, namespace))
			.toList();
	}

	private static String requirePossible(String name, String namespace) {
		if (!NAMESPACE.matcher(namespace).matches()) {
			throw new ReflectorConfigurationException(
					"The reflector '" + name + "' cannot be made: there can be no namespace '"
							+ PrintableText.of(namespace) + "'",
					"Use lower case letters, digits and dashes, 63 at most, that begin and end with a letter or "
							+ "digit.");
		}
		return namespace;
	}

	private Duration resyncPeriod(Class<?> type, ReflectedResource annotation) {
		String text = text(type, "resyncPeriod", annotation.resyncPeriod());
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
		throw new ReflectorConfigurationException(
				type.getName() + " cannot be mirrored: 'resyncPeriod' of its annotation is no duration: '" + text + "'",
				"Use a duration such as '10m' or '1h', or '0s' for no resync.");
	}

}
