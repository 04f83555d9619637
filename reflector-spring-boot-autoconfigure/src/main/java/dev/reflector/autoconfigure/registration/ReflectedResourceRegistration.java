package dev.reflector.autoconfigure.registration;

import java.time.Duration;
import java.util.List;

import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * Mirrors a type that has no {@link dev.reflector.ReflectedResource @ReflectedResource}
 * annotation, or defines a further reflector for a type. Each bean of this class defines
 * a reflector, a lister and a stream of events. Their qualifier is the name of the
 * reflector. If the type is also annotated, an injection point without a qualifier gets
 * the beans of the annotation. Beans of this class are created before all other beans, so
 * declare their {@code @Bean} methods {@code static}. Every text may contain
 * <code>${placeholders}</code>. Properties below {@code reflector.resources.<name>}
 * override the values of the registration.
 *
 * <pre class="code">
 * &#064;Bean
 * static ReflectedResourceRegistration&lt;Deployment&gt; eastern() {
 *     return ReflectedResourceRegistration.of(Deployment.class, "apps/v1")
 *         .withName("eastern-deployments")
 *         .withNamespaces("east");
 * }
 * </pre>
 *
 * @param <T> the type of the objects
 * @param type the type of the objects; like an annotated type, it needs metadata
 * @param apiVersion group and version, for example {@code apps/v1}
 * @param kind kind of the objects
 * @param plural plural resource name, or {@code null} to ask the server
 * @param name name of the reflector, empty for the English plural of the kind in lower
 * case
 * @param namespaces namespaces to mirror, empty for the default
 * @param labelSelector label selector, empty for everything
 * @param fieldSelector field selector, empty for everything
 * @param resyncPeriod how often every object is delivered again, {@code null} for the
 * default
 * @since 0.1.0
 */
public record ReflectedResourceRegistration<T>(Class<T> type, String apiVersion, String kind, @Nullable String plural,
		String name, List<String> namespaces, String labelSelector, String fieldSelector,
		@Nullable Duration resyncPeriod) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException if the resync period is negative
	 */
	public ReflectedResourceRegistration {
		namespaces = List.copyOf(namespaces);
		if (resyncPeriod != null && resyncPeriod.isNegative()) {
			throw new IllegalArgumentException("'resyncPeriod' of '" + name + "' must not be negative");
		}
	}

	/**
	 * Registers a type. The kind is the simple name of the class. The name of the
	 * reflector is the English plural of the kind in lower case.
	 * @param <T> the type of the objects
	 * @param type the type of the objects
	 * @param apiVersion group and version
	 * @return the registration
	 */
	public static <T> ReflectedResourceRegistration<T> of(Class<T> type, String apiVersion) {
		return of(type, apiVersion, type.getSimpleName());
	}

	/**
	 * Registers a type. The name of the reflector is the English plural of the kind in
	 * lower case.
	 * @param <T> the type of the objects
	 * @param type the type of the objects
	 * @param apiVersion group and version
	 * @param kind kind of the objects
	 * @return the registration
	 */
	public static <T> ReflectedResourceRegistration<T> of(Class<T> type, String apiVersion, String kind) {
		// if the kind contains a placeholder, the kind is not known yet, so the name is
		// derived later
		String name = kind.contains("${") ? "" : ResourceType.englishPlural(kind);
		return new ReflectedResourceRegistration<>(type, apiVersion, kind, null, name, List.of(), "", "", null);
	}

	/**
	 * Returns a copy of this registration with another name of the reflector.
	 * @param name the name
	 * @return the registration
	 */
	public ReflectedResourceRegistration<T> withName(String name) {
		return new ReflectedResourceRegistration<>(this.type, this.apiVersion, this.kind, this.plural, name,
				this.namespaces, this.labelSelector, this.fieldSelector, this.resyncPeriod);
	}

	/**
	 * Returns a copy of this registration with a plural. The server is then not asked for
	 * the plural.
	 * @param plural the plural
	 * @return the registration
	 */
	public ReflectedResourceRegistration<T> withPlural(String plural) {
		return new ReflectedResourceRegistration<>(this.type, this.apiVersion, this.kind, plural, this.name,
				this.namespaces, this.labelSelector, this.fieldSelector, this.resyncPeriod);
	}

	/**
	 * Returns a copy of this registration with other namespaces.
	 * @param namespaces the namespaces
	 * @return the registration
	 */
	public ReflectedResourceRegistration<T> withNamespaces(String... namespaces) {
		return new ReflectedResourceRegistration<>(this.type, this.apiVersion, this.kind, this.plural, this.name,
				List.of(namespaces), this.labelSelector, this.fieldSelector, this.resyncPeriod);
	}

	/**
	 * Returns a copy of this registration with a label selector.
	 * @param labelSelector the selector
	 * @return the registration
	 */
	public ReflectedResourceRegistration<T> withLabelSelector(String labelSelector) {
		return new ReflectedResourceRegistration<>(this.type, this.apiVersion, this.kind, this.plural, this.name,
				this.namespaces, labelSelector, this.fieldSelector, this.resyncPeriod);
	}

	/**
	 * Returns a copy of this registration with a field selector.
	 * @param fieldSelector the selector
	 * @return the registration
	 */
	public ReflectedResourceRegistration<T> withFieldSelector(String fieldSelector) {
		return new ReflectedResourceRegistration<>(this.type, this.apiVersion, this.kind, this.plural, this.name,
				this.namespaces, this.labelSelector, fieldSelector, this.resyncPeriod);
	}

	/**
	 * Returns a copy of this registration with a resync period.
	 * @param resyncPeriod the period, zero for never
	 * @return the registration
	 * @throws IllegalArgumentException if the period is negative
	 */
	public ReflectedResourceRegistration<T> withResyncPeriod(Duration resyncPeriod) {
		return new ReflectedResourceRegistration<>(this.type, this.apiVersion, this.kind, this.plural, this.name,
				this.namespaces, this.labelSelector, this.fieldSelector, resyncPeriod);
	}

}
