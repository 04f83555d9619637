package dev.reflector.test.context;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/**
 * Leaves all components out of a {@link ReflectorTest @ReflectorTest} that it does not
 * include.
 */
final class ReflectorTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<ReflectorTest> {

	ReflectorTypeExcludeFilter(Class<?> testClass) {
		super(testClass);
	}

}
