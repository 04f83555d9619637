package dev.reflector.autoconfigure.internal.registration;

import java.util.stream.Stream;

import dev.reflector.Reflector;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.ResolvableType;

/**
 * The reflectors of a context and its parents that have a name. A mock that replaces a
 * reflector in a test has no name, and nothing else to show or measure.
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
		return of(provider(beanFactory));
	}

	/**
	 * Finds the reflectors of a provider.
	 * @param provider gives the reflectors
	 * @return the reflectors
	 */
	public static Stream<Reflector<?>> of(ObjectProvider<Reflector<?>> provider) {
		return provider.stream().filter((reflector) -> name(reflector) != null);
	}

	/**
	 * Whether a context or one of its parents has mocks of reflectors.
	 * @param beanFactory the context
	 * @return whether there are mocks
	 */
	public static boolean hasMocks(BeanFactory beanFactory) {
		return provider(beanFactory).stream().anyMatch((reflector) -> name(reflector) == null);
	}

	private static ObjectProvider<Reflector<?>> provider(BeanFactory beanFactory) {
		return beanFactory.getBeanProvider(ResolvableType.forClass(Reflector.class));
	}

	/**
	 * The name of a reflector.
	 * @param reflector the reflector
	 * @return the name, {@code null} for a mock
	 */
	public static @Nullable String name(Reflector<?> reflector) {
		return reflector.name();
	}

}
