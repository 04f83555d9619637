package dev.reflector.test.context;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;

/**
 * Finds the test classes that have annotations of the test kit.
 */
final class TestKitContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		TestKitSettings settings = TestKitSettings.of(testClass);
		return (settings != null) ? new TestKitContextCustomizer(settings) : null;
	}

}
