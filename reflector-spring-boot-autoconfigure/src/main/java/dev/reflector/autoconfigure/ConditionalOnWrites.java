package dev.reflector.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches if the application writes: if the scan has found a type annotated with
 * {@code @AppliedResource}, or if {@code reflector.writes.mode} is set.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnWritesCondition.class)
@interface ConditionalOnWrites {

}
