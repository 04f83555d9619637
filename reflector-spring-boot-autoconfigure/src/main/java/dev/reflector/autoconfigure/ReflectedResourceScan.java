package dev.reflector.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AliasFor;

/**
 * Says in which packages to look for types annotated with
 * {@link dev.reflector.ReflectedResource @ReflectedResource}. Without it these are the
 * application's own packages; with it only those it names, or the package of the
 * annotated class when it names none.
 *
 * @since 0.1.0
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Import(ReflectedResourceScanPackages.Registrar.class)
public @interface ReflectedResourceScan {

	/**
	 * Alias for {@link #basePackages()}.
	 * @return the packages
	 */
	@AliasFor("basePackages")
	String[] value() default {};

	/**
	 * Packages to look in, with all packages below them.
	 * @return the packages
	 */
	@AliasFor("value")
	String[] basePackages() default {};

	/**
	 * Classes whose packages to look in.
	 * @return the classes
	 */
	Class<?>[] basePackageClasses() default {};

}
