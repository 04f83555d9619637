package dev.reflector.test.context;

import java.util.Arrays;
import java.util.List;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.autoconfigure.internal.registration.ReflectorFactory;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.ListerWatcher;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/**
 * The reflectors of a context. Each call looks up the beans again, because some are
 * created late.
 */
final class ObservedReflectors {

	private final ObjectProvider<Reflector<?>> reflectors;

	private final ConfigurableListableBeanFactory beanFactory;

	ObservedReflectors(ObjectProvider<Reflector<?>> reflectors, ConfigurableListableBeanFactory beanFactory) {
		this.reflectors = reflectors;
		this.beanFactory = beanFactory;
	}

	/**
	 * Returns all reflectors.
	 * @return the reflectors, even if they are stopped
	 */
	List<Reflector<?>> all() {
		return this.reflectors.stream().toList();
	}

	/**
	 * Returns the reflectors that have been started.
	 * @return the reflectors
	 */
	List<Reflector<?>> running() {
		return all().stream().<Reflector<?>>filter(ObservedReflectors::isRunning).toList();
	}

	/**
	 * Returns the running reflectors that follow the API server of the context.
	 * Reflectors with a source of the application are left out.
	 * @return the reflectors
	 */
	List<Reflector<?>> followingTheServer() {
		return Arrays.stream(this.beanFactory.getBeanNamesForType(SharedInformer.class))
			.filter((name) -> !hasOwnSource(name))
			.<Reflector<?>>map((name) -> this.beanFactory.getBean(name, Reflector.class))
			.filter(ObservedReflectors::isRunning)
			.toList();
	}

	private boolean hasOwnSource(String reflector) {
		ResolvableType objectType = this.beanFactory.getMergedBeanDefinition(reflector)
			.getResolvableType()
			.as(Reflector.class)
			.getGeneric(0);
		return this.beanFactory
			.getBeanNamesForType(ResolvableType.forClassWithGenerics(ListerWatcher.class, objectType)).length > 0
				// the source may be the source of another reflector of this type
				&& ReflectorFactory.inUse(this.beanFactory)
					.flatMap((factory) -> factory.hasOwnSource(this.beanFactory.getBean(reflector, Reflector.class)))
					.orElse(true);
	}

	private static boolean isRunning(Reflector<?> reflector) {
		return reflector.state() != ReflectorState.STOPPED;
	}

}
