package dev.reflector.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches if the application has reflectors or registrations. Registrations count,
 * because their reflectors do not exist yet when conditions are evaluated.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnReflectorsCondition.class)
@interface ConditionalOnReflectors {

}
