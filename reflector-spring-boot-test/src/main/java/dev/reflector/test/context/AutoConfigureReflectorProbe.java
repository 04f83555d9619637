package dev.reflector.test.context;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Adds to the application context of a test a {@link ReflectorProbe}, which waits for
 * what reflectors do, and {@link RecordedEvents}, which keeps what they publish. Changes
 * nothing about where reflectors connect to.
 * <p>
 * {@link AutoConfigureEmbeddedApiServer @AutoConfigureEmbeddedApiServer} and
 * {@link ReflectorTest @ReflectorTest} contain it.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface AutoConfigureReflectorProbe {

	/**
	 * Whether reflectors take their time from a {@link ManualTimeSource}, a bean that
	 * stands still until the test moves it.
	 * @return whether time is moved by hand
	 */
	boolean manualTime() default false;

}
