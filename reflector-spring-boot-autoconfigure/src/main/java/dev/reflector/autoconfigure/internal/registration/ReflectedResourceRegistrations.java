package dev.reflector.autoconfigure.internal.registration;

import java.util.function.Predicate;

import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.ConfigurationClassPostProcessor;
import org.springframework.core.env.Environment;
import org.springframework.core.io.DefaultResourceLoader;

/**
 * Registers reflector, lister and stream of each {@link ReflectedResourceRegistration}
 * bean. Runs at each start, also of a context that was processed ahead of time.
 */
public final class ReflectedResourceRegistrations implements BeanDefinitionRegistryPostProcessor {

	private final Environment environment;

	private final Predicate<DefaultListableBeanFactory> configuration;

	private final ReflectorNames names;

	/**
	 * Creates the post-processor.
	 * @param environment resolves placeholders
	 * @param configuration registers what makes reflectors, and tells whether it has done
	 * so; called when there are any reflectors
	 */
	public ReflectedResourceRegistrations(Environment environment,
			Predicate<DefaultListableBeanFactory> configuration) {
		this.environment = environment;
		this.configuration = configuration;
		this.names = new ReflectorNames(environment);
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		DefaultListableBeanFactory beanFactory = (DefaultListableBeanFactory) registry;
		String[] names = beanFactory.getBeanNamesForType(ReflectedResourceRegistration.class, true, false);
		if (!ReflectorBeanDefinitions.reflectorsAndRegistrations(beanFactory).isEmpty()
				&& this.configuration.test(beanFactory)) {
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

	/** Reads the configuration class, as Spring has already read all that it knows. */
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

	/**
	 * Removes a reflector that properties alone have made: they are settings of this one.
	 */
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
