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
		return of(beanFactory.<Reflector<?>>getBeanProvider(ResolvableType.forClass(Reflector.class)));
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
	 * The name of a reflector.
	 * @param reflector the reflector
	 * @return the name, {@code null} for a mock
	 */
	static @Nullable String name(Reflector<?> reflector) {
		return reflector.name();
	}

}
