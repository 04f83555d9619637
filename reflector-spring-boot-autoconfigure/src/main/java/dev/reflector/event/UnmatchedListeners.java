package dev.reflector.event;

import java.util.List;
import java.util.stream.Stream;

import dev.reflector.GenericResource;
import dev.reflector.ReflectedResource;
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
 * Warns of listeners for a type that no reflector of the context or its parents mirrors.
 * If the mirrored type of a reflector is not known, there are no warnings at all.
 */
final class UnmatchedListeners {

	private static final Logger logger = LoggerFactory.getLogger(UnmatchedListeners.class);

	/** Reflectors of child contexts are not known yet. */
	private static final String CONTEXTS = "this context or its parents";

	private final ConfigurableListableBeanFactory beanFactory;

	private final SingletonSupplier<List<Class<?>>> mirrored = SingletonSupplier.of(this::mirrored);

	UnmatchedListeners(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Checks a listener.
	 * @param listener name of the listener in the log
	 * @param event the type of event that the listener declares
	 */
	void check(String listener, ResolvableType event) {
		Class<?> base = ResourceDeadLetterEvent.class.isAssignableFrom(event.toClass()) ? ResourceDeadLetterEvent.class
				: ResourceEvent.class;
		Class<?> type = event.as(base).getGeneric().resolve();
		List<Class<?>> mirrored = this.mirrored.obtain();
		if (type == null || mirrored.contains(Object.class)
				|| mirrored.stream().anyMatch((other) -> isHeard(event, other))) {
			return;
		}
		if (mirrored.stream().anyMatch(type::isAssignableFrom)) {
			logger.warn(
					"{} gets no events from {}: it is for {}, but no reflector there mirrors {} itself. For "
							+ "all subtypes, use {}<{}>",
					listener, CONTEXTS, event, type.getName(), event.toClass().getSimpleName(),
					(type != Object.class) ? "? extends " + type.getSimpleName() : "?");
		}
		else if (type == GenericResource.class) {
			logger.warn(
					"{} gets no events from {}: it is for {}, but no type without a class is mirrored there. "
							+ "Set 'reflector.resources.<name>.api-version' and 'reflector.resources.<name>.kind'",
					listener, CONTEXTS, event);
		}
		else if (type.isAnnotationPresent(ReflectedResource.class)) {
			logger.warn(
					"{} gets no events from {}: it is for {}, whose package is not scanned there. Unless a "
							+ "child context mirrors it, add the package to @ReflectedResourceScan",
					listener, CONTEXTS, event);
		}
		else if (type != Object.class) {
			logger.warn("{} gets no events from {}: it is for {}, but no reflector there mirrors {}. Unless a child "
					+ "context mirrors it, annotate that class with @ReflectedResource in a package that is scanned, "
					+ "or register it with a ReflectedResourceRegistration", listener, CONTEXTS, event, type.getName());
		}
	}

	private static boolean isHeard(ResolvableType event, Class<?> mirrored) {
		return EventTypes.matches(event, ResolvableType.forClassWithGenerics(event.toClass(), mirrored));
	}

	/**
	 * Returns the mirrored types. For a reflector whose type is not known, the list
	 * contains {@code Object}.
	 */
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
				// the reflector has no bean definition, so its type is not known
			}
		}
		return ResolvableType.NONE;
	}

}
