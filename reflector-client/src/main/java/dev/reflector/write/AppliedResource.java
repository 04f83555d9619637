package dev.reflector.write;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a record for server-side apply. The record has exactly the fields that the
 * application owns. It is a separate type and not the type of the mirror.
 * <p>
 * A component that is {@code null} is not sent. If the field manager of the record has
 * applied a field before and omits it now, the server removes the field. It does not
 * remove a field that another manager also owns. Empty lists and maps are sent.
 * Components must not be primitive, because an unset component would be applied and owned
 * as zero.
 * <p>
 * A record of an object has a component {@code metadata} of type {@link AppliedMeta}.
 * Pass such a record to {@link ResourceWriter#apply(Object)} or
 * {@link ResourceWriter#create(Object)}. A record with the subresource {@code status} is
 * the content of {@code status}, without metadata. Pass such a record to
 * {@link ResourceWriter#status(AppliedMeta, Object)}.
 *
 * <p>
 * If Spring Boot creates the writer, every text attribute except the subresource accepts
 * <code>${placeholders}</code>.
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
	 * The API group and version, for example {@code apps/v1}, or {@code v1} for the core
	 * group.
	 * @return the API version
	 */
	String apiVersion();

	/**
	 * The kind of the objects. Defaults to the simple name of the annotated class.
	 * @return the kind, or empty for the default
	 */
	String kind() default "";

	/**
	 * The plural: the lower-case resource name in URLs. By default, the client asks the
	 * server for the plural.
	 * @return the plural, or empty if the client must ask the server
	 */
	String plural() default "";

	/**
	 * The subresource that is written: {@code status}, or empty for the object itself.
	 * @return the subresource
	 */
	String subresource() default "";

	/**
	 * The name of the field manager: printable characters, up to 128 bytes in UTF-8. For
	 * the server, the manager owns the applied fields. Defaults to the name of the
	 * application and the simple name of the record, such as {@code shop/WebDeployment}.
	 * Fields that were applied under another name stay owned by that name.
	 * @return the manager, or empty for the default
	 */
	String manager() default "";

}
