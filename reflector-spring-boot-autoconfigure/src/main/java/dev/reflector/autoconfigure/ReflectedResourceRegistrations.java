package dev.reflector.autoconfigure;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/**
 * Registers the beans of each {@link ReflectedResourceRegistration} bean. Runs whenever a
 * context starts, also one that was processed ahead of time.
 */
final class ReflectedResourceRegistrations implements BeanDefinitionRegistryPostProcessor {

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		DefaultListableBeanFactory beanFactory = (DefaultListableBeanFactory) registry;
		for (String name : beanFactory.getBeanNamesForType(ReflectedResourceRegistration.class, true, false)) {
			ReflectedResourceRegistration<?> registration = beanFactory.getBean(name,
					ReflectedResourceRegistration.class);
			giveWay(beanFactory, registration.name());
			requireUsable(beanFactory, name, registration);
			ReflectorBeanDefinitions.registerRegistered(beanFactory, name, registration);
		}
	}

	/** Properties that would make a reflector of their own are settings of this one. */
	private static void giveWay(DefaultListableBeanFactory beanFactory, String name) {
		for (String bean : ReflectorBeanDefinitions.genericBeans(name)) {
			if (beanFactory.containsBeanDefinition(bean)
					&& beanFactory.getBeanDefinition(bean).hasAttribute(ReflectorBeanDefinitions.GENERIC_ATTRIBUTE)) {
				beanFactory.removeBeanDefinition(bean);
			}
		}
	}

	private static void requireUsable(DefaultListableBeanFactory beanFactory, String bean,
			ReflectedResourceRegistration<?> registration) {
		String name = registration.name();
		if (!ReflectorNames.isName(name)) {
			throw new ReflectorConfigurationException(
					"The registration '" + bean + "' cannot be used: '" + name + "' is no name for a reflector",
					"Use letters, digits, dots, dashes and underscores that begin with a letter or digit.");
		}
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
