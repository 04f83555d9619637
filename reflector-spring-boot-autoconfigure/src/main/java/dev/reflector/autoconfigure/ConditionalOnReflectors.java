package dev.reflector.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches if the application has reflectors or registrations. When conditions are
 * evaluated, the reflectors of registrations do not exist yet.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnReflectorsCondition.class)
@interface ConditionalOnReflectors {

}
