package dev.reflector.test.context;

import java.util.Map;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Adds the beans of the test kit to a context.
 *
 * @param settings the settings of the test class
 */
record TestKitContextCustomizer(TestKitSettings settings) implements ContextCustomizer {

	/**
	 * Default values of properties for tests. All other property sources override these
	 * values.
	 */
	private static final Map<String, Object> DEFAULTS = Map.of("reflector.keep-alive", "false",
			"spring.reactor.netty.shutdown-quiet-period", "100ms");

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration mergedConfig) {
		context.getEnvironment().getPropertySources().addLast(new MapPropertySource("reflectorTestKit", DEFAULTS));
		context.getBeanFactory().registerSingleton(TestKitSettings.class.getName(), this.settings);
		AnnotatedBeanDefinitionReader reader = new AnnotatedBeanDefinitionReader((BeanDefinitionRegistry) context,
				context.getEnvironment());
		reader.register(ReflectorProbeConfiguration.class);
		if (this.settings.manualTime()) {
			reader.register(ManualTimeConfiguration.class);
		}
		if (this.settings.server() != null) {
			reader.register(EmbeddedApiServerConfiguration.class);
		}
	}

}
