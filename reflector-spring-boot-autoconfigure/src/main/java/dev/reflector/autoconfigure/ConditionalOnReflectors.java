package dev.reflector.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Holds when the application mirrors anything. Reflectors of registrations are not there
 * yet when conditions are evaluated: for them, their registrations stand.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnReflectorsCondition.class)
@interface ConditionalOnReflectors {

}
