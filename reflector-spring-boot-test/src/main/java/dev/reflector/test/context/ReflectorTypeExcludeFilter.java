package dev.reflector.test.context;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/**
 * Leaves out all components that a {@link ReflectorTest @ReflectorTest} does not include.
 */
final class ReflectorTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<ReflectorTest> {

	ReflectorTypeExcludeFilter(Class<?> testClass) {
		super(testClass);
	}

}
