package dev.reflector.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says of which condition of an auto-configuration a test shows that it holds, or that it
 * does not.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Covers.Several.class)
public @interface Covers {

	/** The class with the condition, or with the bean method that has it. */
	Class<?> in();

	/** The condition, as the table of the guide spells it; all of them when empty. */
	String condition() default "";

	/** Whether the test is about the condition when it holds. */
	boolean holds();

	/** Several of them. */
	@Documented
	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	public @interface Several {

		Covers[] value();

	}

}
