package dev.reflector.autoconfigure;

import java.util.stream.Stream;

import dev.reflector.Reflector;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.ResolvableType;

/**
 * The reflectors of a context and its parents that have a name. Mocks that take their
 * place in tests have none, and nothing else that could be shown or measured.
 */
final class NamedReflectors {

	private NamedReflectors() {
	}

	/**
	 * Those that a context sees.
	 * @param beanFactory the context
	 * @return the reflectors
	 */
	static Stream<Reflector<?>> of(BeanFactory beanFactory) {
		return of(provider(beanFactory));
	}

	/**
	 * Those of a provider.
	 * @param provider gives the reflectors
	 * @return the reflectors
	 */
	static Stream<Reflector<?>> of(ObjectProvider<Reflector<?>> provider) {
		return provider.stream().filter((reflector) -> name(reflector) != null);
	}

	/**
	 * Whether a context sees any that have none.
	 * @param beanFactory the context
	 * @return whether there are mocks
	 */
	static boolean hasMocks(BeanFactory beanFactory) {
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
	static @Nullable String name(Reflector<?> reflector) {
		return reflector.name();
	}

}
