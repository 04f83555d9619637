package dev.reflector.event;

import java.util.List;
import java.util.stream.Stream;

import dev.reflector.Reflector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.function.SingletonSupplier;

/**
 * Warns of listeners that hear nothing, as no reflector of the context or its parents
 * mirrors the type that they are for. Where the type of a reflector is not known, nothing
 * is said.
 */
final class DeafListeners {

	private static final Logger logger = LoggerFactory.getLogger(DeafListeners.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final SingletonSupplier<List<Class<?>>> mirrored = SingletonSupplier.of(this::mirrored);

	DeafListeners(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Looks at a listener.
	 * @param listener names it
	 * @param event the events that it is declared to hear
	 */
	void check(String listener, ResolvableType event) {
		ResolvableType object = event.as(ResourceEvent.class).getGeneric();
		Class<?> type = object.resolve();
		if (type == null || type == Object.class) {
			return;
		}
		List<Class<?>> mirrored = this.mirrored.obtain();
		if (!mirrored.contains(Object.class) && mirrored.stream().noneMatch((other) -> isHeard(event, other))) {
			logger.warn("{} hears nothing: it is for {}, but no reflector mirrors {}. Annotate that class with "
					+ "@ReflectedResource in a package that is scanned, or register it with a "
					+ "ReflectedResourceRegistration", listener, event, type.getName());
		}
	}

	private static boolean isHeard(ResolvableType event, Class<?> mirrored) {
		return event.isAssignableFrom(ResolvableType.forClassWithGenerics(event.toClass(), mirrored));
	}

	/** What is mirrored, {@code Object} for what is not known. */
	private List<Class<?>> mirrored() {
		return Stream
			.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, Reflector.class, true, false))
			.<Class<?>>map(
					(name) -> type(this.beanFactory, name).as(Reflector.class).getGeneric().resolve(Object.class))
			.toList();
	}

	private static ResolvableType type(@Nullable BeanFactory context, String name) {
		if (context instanceof ConfigurableListableBeanFactory factory) {
			try {
				return factory.getMergedBeanDefinition(name).getResolvableType();
			}
			catch (NoSuchBeanDefinitionException ex) {
				// registered as it is
			}
		}
		return ResolvableType.NONE;
	}

}
