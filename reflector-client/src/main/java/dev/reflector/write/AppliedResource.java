package dev.reflector.write;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a record for server-side apply. The record has exactly the fields that the
 * application owns, and no others. It is not the type that is mirrored.
 * <p>
 * A component that is {@code null} is not sent. If this manager applied a field before
 * and leaves it out now, the server removes the field, unless another manager owns it,
 * too. Empty lists and maps are sent. Components must not be primitive, because their
 * zero would be applied and owned.
 * <p>
 * A record of an object has a component {@code metadata} of type {@link AppliedMeta}:
 * pass it to {@link ResourceWriter#apply(Object)} or
 * {@link ResourceWriter#create(Object)}. A record with the subresource {@code status} is
 * the content of {@code status}, without metadata: pass it to
 * {@link ResourceWriter#status(AppliedMeta, Object)}.
 *
 * <p>
 * Every text attribute except the subresource accepts <code>${placeholders}</code>, if
 * Spring Boot creates the writer.
 *
 * <pre class="code">
 * &#064;AppliedResource(apiVersion = "apps/v1", kind = "Deployment")
 * record Scale(AppliedMeta metadata, Spec spec) {
 *
 *     record Spec(Integer replicas) {
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
public @interface AppliedResource {

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
	 * Plural, lower-case resource name as in URLs. By default, it comes from the server.
	 * @return the plural, or empty to ask the server
	 */
	String plural() default "";

	/**
	 * The subresource that is written: {@code status}, or empty for the object itself.
	 * @return the subresource
	 */
	String subresource() default "";

	/**
	 * The field manager, under which the server keeps the applied fields, up to 128 bytes
	 * in UTF-8. Defaults to the name of the application and the simple name of the
	 * record, as {@code shop/WebDeployment}. Fields that were applied under another name
	 * stay owned by that name.
	 * @return the manager, or empty for the default
	 */
	String manager() default "";

}
