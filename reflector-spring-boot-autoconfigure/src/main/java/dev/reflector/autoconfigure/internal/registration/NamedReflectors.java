package dev.reflector.autoconfigure.internal.registration;

import java.util.stream.Stream;

import dev.reflector.Reflector;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/**
 * Finds the reflectors of a context and its parents that have a name. A mock that
 * replaces a reflector in a test has no name. It is left out, because it has nothing to
 * show or measure.
 */
public final class NamedReflectors {

	private NamedReflectors() {
	}

	/**
	 * Finds the reflectors of a context and its parents.
	 * @param beanFactory the context
	 * @return the reflectors
	 */
	public static Stream<Reflector<?>> of(BeanFactory beanFactory) {
		return ReflectorNaming.named(provider(beanFactory));
	}

	/**
	 * Whether a context or one of its parents has mocks of reflectors.
	 * @param beanFactory the context
	 * @return whether there are mocks
	 */
	public static boolean hasMocks(BeanFactory beanFactory) {
		return provider(beanFactory).stream().anyMatch((reflector) -> !ReflectorNaming.isNamed(reflector));
	}

	private static ObjectProvider<Reflector<?>> provider(BeanFactory beanFactory) {
		return beanFactory.getBeanProvider(ResolvableType.forClass(Reflector.class));
	}

	/**
	 * Returns the mirrored type of a reflector.
	 * @param beanFactory the context that has the reflector, or a child of that context
	 * @param bean name of the reflector's bean
	 * @return the type, or {@code null} if the application has made the reflector itself.
	 * A reflector that the application has made publishes no events
	 */
	public static @Nullable Class<?> mirrored(ConfigurableListableBeanFactory beanFactory, String bean) {
		try {
			return (Class<?>) beanFactory.getMergedBeanDefinition(bean)
				.getAttribute(ReflectorBeanDefinitions.TYPE_ATTRIBUTE);
		}
		catch (NoSuchBeanDefinitionException ex) {
			return null;
		}
	}

}
