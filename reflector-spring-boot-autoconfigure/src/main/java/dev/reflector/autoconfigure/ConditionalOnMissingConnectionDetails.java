package dev.reflector.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Holds when the application has no bean that says where the API server is. What a parent
 * context has found by itself is none.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnMissingConnectionDetailsCondition.class)
@interface ConditionalOnMissingConnectionDetails {

}
