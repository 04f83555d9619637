package dev.reflector.autoconfigure.internal.registration;

import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Registers the reflector, the lister and the stream of each
 * {@link ReflectedResourceRegistration} bean. Runs at each start, even if the context was
 * processed ahead of time.
 */
public final class ReflectedResourceRegistrations implements BeanDefinitionRegistryPostProcessor {

	private static final Logger logger = LoggerFactory.getLogger(ReflectedResourceRegistrations.class);

	private final ReflectorNames names;

	/**
	 * Creates the post-processor.
	 * @param environment resolves placeholders
	 */
	public ReflectedResourceRegistrations(Environment environment) {
		this.names = new ReflectorNames(environment);
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		DefaultListableBeanFactory beanFactory = (DefaultListableBeanFactory) registry;
		for (String name : beanFactory.getBeanNamesForType(ReflectedResourceRegistration.class, true, false)) {
			warnUnlessStatic(beanFactory, name);
			ReflectedResourceRegistration<?> registration = beanFactory.getBean(name,
					ReflectedResourceRegistration.class);
			String reflector = this.names.name(name, registration);
			giveWay(beanFactory, reflector);
			requireFree(beanFactory, name, reflector);
			ReflectorBeanDefinitions.registerRegistered(beanFactory, name, reflector, registration);
		}
	}

	/**
	 * Warns of a registration whose {@code @Bean} method is not static. A registration is
	 * created before other beans, because the name of its reflector is needed. If its
	 * {@code @Bean} method is not static, Spring must create the bean that declares the
	 * method just as early, before it can process that bean properly.
	 */
	private static void warnUnlessStatic(DefaultListableBeanFactory beanFactory, String name) {
		if (!beanFactory.containsBeanDefinition(name)) {
			return;
		}
		BeanDefinition definition = beanFactory.getMergedBeanDefinition(name);
		String declaring = definition.getFactoryBeanName();
		if (declaring != null) {
			logger.warn("The @Bean method '{}' of '{}' is not static. It registers a reflector, so Spring "
					+ "instantiates the configuration class before it can inject values into its "
					+ "fields. Declare the method static", definition.getFactoryMethodName(), declaring);
		}
	}

	/**
	 * Removes the bean definitions of a reflector that only properties define, because a
	 * registration defines a reflector of the same name. The properties then apply to the
	 * registered reflector.
	 */
	private static void giveWay(DefaultListableBeanFactory beanFactory, String name) {
		for (String bean : beanFactory.getBeanDefinitionNames()) {
			if (beanFactory.getBeanDefinition(bean)
				.getAttribute(ReflectorBeanDefinitions.GENERIC_ATTRIBUTE) instanceof String key
					&& ReflectorNaming.isSame(key, name)) {
				beanFactory.removeBeanDefinition(bean);
			}
		}
	}

	/**
	 * Requires that no bean has one of the names. If Spring Boot allows overriding, a
	 * bean of the application would be replaced otherwise.
	 */
	private static void requireFree(DefaultListableBeanFactory beanFactory, String bean, String name) {
		for (String beanName : ReflectorBeanDefinitions.generic(name)) {
			if (beanFactory.containsBeanDefinition(beanName)) {
				BeanDefinition other = beanFactory.getBeanDefinition(beanName);
				Object registered = other.getAttribute(ReflectorBeanDefinitions.REGISTRATION_ATTRIBUTE);
				throw new ReflectorConfigurationException(
						"The reflector '" + name + "' of the registration '" + bean
								+ "' cannot be registered: there is a bean '" + beanName + "' already"
								+ ((registered != null) ? ", of the registration '" + registered + "'" : ""),
						"Give the registration another name with 'withName'.");
			}
		}
	}

}
