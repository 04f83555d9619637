package dev.reflector.test.context;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Adds two beans to the application context of a test: a {@link ReflectorProbe}, which
 * waits until reflectors meet a condition, and {@link RecordedEvents}, which records
 * their events. The server to which reflectors connect does not change.
 * <p>
 * {@link AutoConfigureEmbeddedApiServer @AutoConfigureEmbeddedApiServer} and
 * {@link ReflectorTest @ReflectorTest} contain this annotation.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface AutoConfigureReflectorProbe {

	/**
	 * Whether reflectors use the time of a {@link ManualTimeSource} bean, which stands
	 * still until the test moves it.
	 * @return whether reflectors use a time that the test moves
	 */
	boolean manualTime() default false;

}
