package dev.reflector.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AliasFor;

/**
 * Names the packages to scan for types annotated with
 * {@link dev.reflector.ReflectedResource @ReflectedResource}. Without this annotation,
 * the application's own packages are scanned. If the annotation names no package, the
 * package of the annotated class is scanned.
 *
 * @since 0.1.0
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Import(ReflectedResourceScanRegistrar.class)
public @interface ReflectedResourceScan {

	/**
	 * Alias for {@link #basePackages()}.
	 * @return the packages
	 */
	@AliasFor("basePackages")
	String[] value() default {};

	/**
	 * Packages to scan, with all packages below them.
	 * @return the packages
	 */
	@AliasFor("value")
	String[] basePackages() default {};

	/**
	 * Classes whose packages are scanned.
	 * @return the classes
	 */
	Class<?>[] basePackageClasses() default {};

}
