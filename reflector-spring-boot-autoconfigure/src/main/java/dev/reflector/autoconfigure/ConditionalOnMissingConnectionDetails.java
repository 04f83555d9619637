package dev.reflector.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches when the application has no {@code ReflectorConnectionDetails} bean. The
 * library's own bean in a parent context does not count.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnMissingConnectionDetailsCondition.class)
@interface ConditionalOnMissingConnectionDetails {

}
