package dev.reflector.autoconfigure;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Registers the beans of each {@link ReflectedResourceRegistration} bean. Runs whenever a
 * context starts, also one that was processed ahead of time.
 */
final class ReflectedResourceRegistrations implements BeanDefinitionRegistryPostProcessor {

	private final ReflectorNames names;

	ReflectedResourceRegistrations(Environment environment) {
		this.names = new ReflectorNames(environment);
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		DefaultListableBeanFactory beanFactory = (DefaultListableBeanFactory) registry;
		for (String name : beanFactory.getBeanNamesForType(ReflectedResourceRegistration.class, true, false)) {
			ReflectedResourceRegistration<?> registration = beanFactory.getBean(name,
					ReflectedResourceRegistration.class);
			String reflector = this.names.name(name, registration);
			giveWay(beanFactory, reflector);
			requireFree(beanFactory, name, reflector);
			ReflectorBeanDefinitions.registerRegistered(beanFactory, name, reflector, registration);
		}
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
