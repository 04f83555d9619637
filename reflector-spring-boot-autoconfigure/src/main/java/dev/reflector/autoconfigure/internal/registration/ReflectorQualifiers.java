package dev.reflector.autoconfigure.internal.registration;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.env.Environment;

/**
 * Gives the beans of annotated types the name of their reflector as qualifier, like the
 * beans of registrations. Runs at each start, even if the context was processed ahead of
 * time, because names may have placeholders.
 */
public final class ReflectorQualifiers implements BeanFactoryPostProcessor {

	private final ReflectorNames names;

	public ReflectorQualifiers(Environment environment) {
		this.names = new ReflectorNames(environment);
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		for (String bean : beanFactory.getBeanDefinitionNames()) {
			BeanDefinition definition = beanFactory.getBeanDefinition(bean);
			if (definition.getAttribute(ReflectorBeanDefinitions.TYPE_ATTRIBUTE) instanceof Class<?> type
					&& definition instanceof RootBeanDefinition ours && ours.getQualifiedElement() == null) {
				ReflectorBeanDefinitions.qualify(ours, this.names.name(type));
			}
		}
	}

}
