package dev.reflector.autoconfigure;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.ConfigurationClassPostProcessor;
import org.springframework.core.env.Environment;
import org.springframework.core.io.DefaultResourceLoader;

/**
 * Registers the beans of each {@link ReflectedResourceRegistration} bean. Runs whenever a
 * context starts, also one that was processed ahead of time.
 */
final class ReflectedResourceRegistrations implements BeanDefinitionRegistryPostProcessor {

	private final Environment environment;

	private final ReflectorNames names;

	ReflectedResourceRegistrations(Environment environment) {
		this.environment = environment;
		this.names = new ReflectorNames(environment);
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		DefaultListableBeanFactory beanFactory = (DefaultListableBeanFactory) registry;
		String[] names = beanFactory.getBeanNamesForType(ReflectedResourceRegistration.class, true, false);
		if (!OnReflectorsCondition.find(beanFactory).isEmpty() && ReflectorFactoryConfiguration.register(beanFactory)) {
			configure(beanFactory);
		}
		for (String name : names) {
			ReflectedResourceRegistration<?> registration = beanFactory.getBean(name,
					ReflectedResourceRegistration.class);
			String reflector = this.names.name(name, registration);
			giveWay(beanFactory, reflector);
			requireFree(beanFactory, name, reflector);
			ReflectorBeanDefinitions.registerRegistered(beanFactory, name, reflector, registration);
		}
	}

	/** What a post-processor has registered comes after the last pass. */
	private void configure(DefaultListableBeanFactory beanFactory) {
		ConfigurationClassPostProcessor processor = new ConfigurationClassPostProcessor();
		processor.setEnvironment(this.environment);
		ClassLoader classLoader = beanFactory.getBeanClassLoader();
		if (classLoader != null) {
			processor.setBeanClassLoader(classLoader);
			processor.setResourceLoader(new DefaultResourceLoader(classLoader));
		}
		processor.postProcessBeanDefinitionRegistry(beanFactory);
	}

	/** Properties that would make a reflector of their own are settings of this one. */
	private static void giveWay(DefaultListableBeanFactory beanFactory, String name) {
		for (String bean : beanFactory.getBeanDefinitionNames()) {
			if (beanFactory.getBeanDefinition(bean)
				.getAttribute(ReflectorBeanDefinitions.GENERIC_ATTRIBUTE) instanceof String key
					&& ReflectorNames.sameName(key, name)) {
				beanFactory.removeBeanDefinition(bean);
			}
		}
	}

	private static void requireFree(DefaultListableBeanFactory beanFactory, String bean, String name) {
		String reflector = ReflectorBeanDefinitions.genericReflector(name);
		if (beanFactory.containsBeanDefinition(reflector)) {
			BeanDefinition other = beanFactory.getBeanDefinition(reflector);
			Object registered = other.getAttribute(ReflectorBeanDefinitions.REGISTRATION_ATTRIBUTE);
			throw new ReflectorConfigurationException(
					"The reflector '" + name + "' of the registration '" + bean + "' cannot be registered: there is a "
							+ "bean '" + reflector + "' already"
							+ ((registered != null) ? ", of the registration '" + registered + "'" : ""),
					"Give the registration another name with 'withName'.");
		}
	}

}
