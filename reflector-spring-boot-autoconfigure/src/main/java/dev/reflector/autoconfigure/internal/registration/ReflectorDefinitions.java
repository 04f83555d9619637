package dev.reflector.autoconfigure.internal.registration;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.reflector.GenericResource;
import dev.reflector.PrintableText;
import dev.reflector.ReflectedResource;
import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.registration.ReflectedResourceProperties;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Reads the definition of a reflector from an annotation or a registration, and from
 * properties below {@code reflector.resources.<name>}, which override it. If a property
 * overrides an attribute, placeholders in the attribute are not resolved.
 */
public final class ReflectorDefinitions {

	/** Matches the names of namespaces that Kubernetes allows (RFC 1123). */
	private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

	private static final ReflectedResourceProperties NOTHING_SET = new ReflectedResourceProperties(null, null, null,
			null, null, null, null, null, true, null, null, null, null);

	private final Map<String, ReflectedResourceProperties> resources;

	private final Duration resyncPeriod;

	private final @Nullable String namespace;

	private final ReflectorNames names;

	/**
	 * Creates the definitions.
	 * @param resources settings of single reflectors by name
	 * @param resyncPeriod resync period of reflectors that declare none
	 * @param namespace namespace of reflectors that declare none, or {@code null} for all
	 * namespaces
	 * @param environment resolves placeholders
	 */
	public ReflectorDefinitions(Map<String, ReflectedResourceProperties> resources, Duration resyncPeriod,
			@Nullable String namespace, Environment environment) {
		this.resources = resources;
		this.resyncPeriod = resyncPeriod;
		this.namespace = namespace;
		this.names = new ReflectorNames(environment);
	}

	/**
	 * Reads the definition of an annotated type.
	 * @param <T> the type
	 * @param type the type
	 * @return the definition
	 */
	public <T> ReflectorDefinition<T> annotated(Class<T> type) {
		ReflectedResource annotation = ReflectorNames.annotation(type);
		String name = this.names.name(type);
		Map<String, String> texts = Map.of("apiVersion", annotation.apiVersion(), "kind", annotation.kind(), "plural",
				annotation.plural(), "labelSelector", annotation.labelSelector(), "fieldSelector",
				annotation.fieldSelector());
		return definition(type, name, new Declaration(type.getName(),
				"Correct 'apiVersion' of the annotation, or set 'reflector.resources." + name + ".api-version'.", texts,
				List.of(annotation.namespaces()), (attribute, text) -> this.names.text(type, attribute, text,
						attribute.equals("kind") ? type.getSimpleName() : ""),
				() -> resyncPeriod(type, annotation)));
	}

	/**
	 * Reads the definition of a type without a class.
	 * @param name name of the reflector
	 * @return the definition
	 */
	public ReflectorDefinition<GenericResource> generic(String name) {
		ReflectedResourceProperties settings = settings(name);
		String key = "reflector.resources." + name;
		if (!settings.isComplete()) {
			throw new ReflectorConfigurationException(
					"'" + key + "' cannot be mirrored: its "
							+ ((settings.apiVersion() == null) ? "'api-version'" : "'kind'") + " is gone",
					"Set both '" + key + ".api-version' and '" + key + ".kind': they were there when the application "
							+ "was built.");
		}
		if (!ReflectorNames.isName(name)) {
			throw new ReflectorConfigurationException(
					"'" + key + "' cannot be mirrored: '" + name + "' is not a valid name of a reflector",
					"Use letters, digits, dots, dashes and underscores that begin with a letter or digit.");
		}
		return definition(GenericResource.class, name,
				new Declaration("'" + key + "'", "Correct '" + key + ".api-version'.", Map.of(), List.of(),
						(attribute, text) -> text, () -> this.resyncPeriod));
	}

	/**
	 * Reads the definition of a registered type.
	 * @param <T> the type
	 * @param bean name of the registration's bean
	 * @param registration the registration
	 * @return the definition
	 */
	public <T> ReflectorDefinition<T> registered(String bean, ReflectedResourceRegistration<T> registration) {
		String name = this.names.name(bean, registration);
		Map<String, String> texts = Map.of("apiVersion", registration.apiVersion(), "kind", registration.kind(),
				"plural", Objects.requireNonNullElse(registration.plural(), ""), "labelSelector",
				registration.labelSelector(), "fieldSelector", registration.fieldSelector());
		return definition(registration.type(), name,
				new Declaration(registration.type().getName(),
						"Correct 'apiVersion' of the registration '" + bean + "', or set 'reflector.resources." + name
								+ ".api-version'.",
						texts, registration.namespaces(), (component, text) -> this.names.text(bean, component, text),
						() -> Objects.requireNonNullElse(registration.resyncPeriod(), this.resyncPeriod)));
	}

	private <T> ReflectorDefinition<T> definition(Class<T> type, String name, Declaration declared) {
		ReflectedResourceProperties settings = settings(name);
		return SelectorSyntax.checked(new ReflectorDefinition<>(type, name, resourceType(declared, settings),
				namespaces(name, declared, settings), declared.text("labelSelector", settings.labelSelector()),
				declared.text("fieldSelector", settings.fieldSelector()),
				Objects.requireNonNullElseGet(settings.resyncPeriod(), declared.resyncPeriod()), settings,
				snapshotName(name, settings)));
	}

	private static String snapshotName(String name, ReflectedResourceProperties settings) {
		String snapshotName = Objects.requireNonNullElse(settings.snapshotName(), name);
		if (!ReflectorNames.isName(snapshotName)) {
			throw new ReflectorConfigurationException(
					"'reflector.resources." + name + ".snapshot-name' is '" + PrintableText.of(snapshotName)
							+ "', which is not a valid name of a reflector",
					"Use the name that the reflector had when its snapshot was written.");
		}
		return snapshotName;
	}

	private ReflectedResourceProperties settings(String name) {
		ReflectedResourceProperties exact = this.resources.get(name);
		if (exact != null) {
			return exact;
		}
		return this.resources.entrySet()
			.stream()
			.filter((entry) -> ReflectorNaming.isSame(entry.getKey(), name))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(NOTHING_SET);
	}

	private static ResourceType resourceType(Declaration declared, ReflectedResourceProperties settings) {
		String plural = declared.text("plural", settings.plural()).strip();
		String apiVersion = declared.text("apiVersion", settings.apiVersion());
		String kind = declared.text("kind", settings.kind());
		try {
			return ResourceType.of(apiVersion, kind, plural.isEmpty() ? null : plural);
		}
		catch (IllegalArgumentException ex) {
			throw new ReflectorConfigurationException(declared.subject() + " cannot be mirrored: " + ex.getMessage(),
					declared.action(), ex);
		}
	}

	private List<String> namespaces(String name, Declaration declared, ReflectedResourceProperties settings) {
		if (settings.namespaces() != null) {
			return clean(name, settings.namespaces().stream());
		}
		// the value of one placeholder may name several namespaces
		List<String> named = clean(name,
				declared.namespaces()
					.stream()
					.map((text) -> declared.resolver().apply("namespaces", text))
					.flatMap((text) -> Arrays.stream(StringUtils.commaDelimitedListToStringArray(text))));
		return (named.isEmpty() && this.namespace != null) ? clean(name, Stream.of(this.namespace)) : named;
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
					"The reflector '" + name + "' cannot be made: a namespace cannot have the name '"
							+ PrintableText.of(namespace) + "'",
					namespace.equals("*")
							? "Leave 'reflector.resources." + name + ".namespaces' and "
									+ "'reflector.api-server.namespace' empty to mirror all namespaces."
							: "Use lower case letters, digits and dashes, 63 at most, that begin and end with a letter "
									+ "or digit.");
		}
		return namespace;
	}

	private Duration resyncPeriod(Class<?> type, ReflectedResource annotation) {
		String text = this.names.text(type, "resyncPeriod", annotation.resyncPeriod(), "");
		if (text.isEmpty()) {
			return this.resyncPeriod;
		}
		try {
			Duration period = DurationStyle.detectAndParse(text);
			if (!period.isNegative()) {
				return period;
			}
		}
		catch (IllegalArgumentException ex) {
			// the code below reports this, as it reports a negative period
		}
		throw new ReflectorConfigurationException(type.getName()
				+ " cannot be mirrored: 'resyncPeriod' of its annotation is not a valid duration: '" + text + "'",
				"Use a duration such as '10m' or '1h', or '0s' for no resync.");
	}

	/**
	 * The declaration of a mirrored type by an annotation, a registration or properties.
	 *
	 * @param subject the annotated or registered type, or the property, for messages
	 * @param action how to correct a wrong API version
	 * @param texts texts by the name of their attribute
	 * @param namespaces names of namespaces
	 * @param resolver resolves placeholders, given the name of an attribute and its text
	 * @param resyncPeriod reads the resync period
	 */
	private record Declaration(String subject, String action, Map<String, String> texts, List<String> namespaces,
			BinaryOperator<String> resolver, Supplier<Duration> resyncPeriod) {

		String text(String attribute, @Nullable String setting) {
			return (setting != null) ? setting : this.resolver.apply(attribute, this.texts.getOrDefault(attribute, ""));
		}

	}

}
