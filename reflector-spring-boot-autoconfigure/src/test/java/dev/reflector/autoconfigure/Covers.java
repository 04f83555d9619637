package dev.reflector.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the condition of an auto-configuration that matches, or does not match, in a
 * test.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Covers.Several.class)
public @interface Covers {

	/** The class with the condition, or with the bean method that has it. */
	Class<?> in();

	/**
	 * The condition, as in the table of the guide; empty for all conditions of the class.
	 */
	String condition() default "";

	/** Whether the condition matches in the test. */
	boolean holds();

	/** Several conditions. */
	@Documented
	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	public @interface Several {

		Covers[] value();

	}

}
