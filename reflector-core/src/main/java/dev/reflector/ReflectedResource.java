package dev.reflector;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a live mirror of a collection of the API server. Each object of the mirror is
 * an instance of the annotated type.
 * <p>
 * Declare only the fields that you need: all others are skipped while parsing and never
 * held in memory. The type needs a component (or property) {@code metadata} of type
 * {@link ObjectMeta}, or of any type that has at least the getters {@code name} and
 * {@code resourceVersion}.
 * <p>
 * Every text attribute accepts <code>${placeholders}</code>, and
 * <code>reflector.resources.&lt;name&gt;.*</code> overrides any attribute.
 * <p>
 * The beans of a type are named after its class: {@code deploymentReflector},
 * {@code deploymentLister} and {@code deploymentEventStream} for a class
 * {@code Deployment}. The qualifier of these beans is the name of the reflector.
 *
 * <pre class="code">
 * &#064;ReflectedResource(apiVersion = "apps/v1", labelSelector = "app=web")
 * record Deployment(ObjectMeta metadata, Spec spec) {
 *
 *     record Spec(int replicas) {
 *     }
 *
 * }
 * </pre>
 *
 * @since 0.1.0
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface ReflectedResource {

	/**
	 * Group and version, for example {@code apps/v1}, or {@code v1} for the core group.
	 * @return the API version
	 */
	String apiVersion();

	/**
	 * Kind of the objects. Defaults to the simple name of the annotated class.
	 * @return the kind, or empty for the default
	 */
	String kind() default "";

	/**
	 * Plural, lower-case resource name as in URLs. By default, the server is asked for
	 * this name.
	 * @return the plural, or empty to ask the server
	 */
	String plural() default "";

	/**
	 * Namespaces to mirror. By default, all namespaces are mirrored. Several namespaces
	 * are listed and watched separately: a missing permission in one does not stop the
	 * others.
	 * @return the namespaces, or none for all
	 */
	String[] namespaces() default {};

	/**
	 * Label selector in the syntax of the API server, for example {@code app=web}.
	 * @return the selector, or empty for everything
	 */
	String labelSelector() default "";

	/**
	 * Field selector in the syntax of the API server, for example
	 * {@code metadata.name=web}.
	 * @return the selector, or empty for everything
	 */
	String fieldSelector() default "";

	/**
	 * How often every mirrored object is delivered again as an update that changes
	 * nothing, as a duration such as {@code 10m}. Defaults to
	 * {@code reflector.resync-period}. Makes no request to the server.
	 * @return the period, or empty for the default
	 */
	String resyncPeriod() default "";

	/**
	 * Name of the reflector: its key in properties, the actuator endpoint, health and
	 * metrics. Does not depend on the server. Defaults to {@link #plural()}, or else to
	 * the kind's lower-case English plural. If the names of two reflectors differ only in
	 * case, or in characters other than letters and digits, the start fails.
	 * @return the name, or empty for the default
	 */
	String name() default "";

}
