package dev.reflector.test.context;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A type that the embedded server serves: an additional type, or a mirrored type whose
 * derived plural or scope is wrong.
 *
 * @since 0.1.0
 */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface ServedResource {

	/**
	 * Group and version, for example {@code apps/v1}, or {@code v1} for the core group.
	 * @return the API version
	 */
	String apiVersion();

	/**
	 * Kind of the objects.
	 * @return the kind
	 */
	String kind();

	/**
	 * Plural, lower-case resource name.
	 * @return the plural
	 */
	String plural();

	/**
	 * Whether the objects live in namespaces.
	 * @return whether the objects live in namespaces
	 */
	boolean namespaced() default true;

}
