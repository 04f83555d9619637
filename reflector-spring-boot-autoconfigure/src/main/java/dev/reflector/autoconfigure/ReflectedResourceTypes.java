package dev.reflector.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.reflector.Reflector;
import dev.reflector.ResourceType;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Tells which types of the API server the application mirrors, without creating any
 * reflector.
 */
public final class ReflectedResourceTypes {

	private final ConfigurableListableBeanFactory beanFactory;

	private final ReflectorDefinitions definitions;

	ReflectedResourceTypes(ConfigurableListableBeanFactory beanFactory, ReflectorDefinitions definitions) {
		this.beanFactory = beanFactory;
		this.definitions = definitions;
	}

	/**
	 * The types, as annotations and properties define them. Where no plural is declared
	 * it is that of English spelling.
	 * @return the distinct types, each with a plural
	 */
	public List<ResourceType> list() {
		return Arrays.stream(this.beanFactory.getBeanNamesForType(Reflector.class, true, false))
			.flatMap(this::annotatedType)
			.map((type) -> this.definitions.definition(type).resourceType())
			.map((type) -> type
				.withPlural(Objects.requireNonNullElseGet(type.plural(), () -> EnglishPlural.of(type.kind()))))
			.distinct()
			.toList();
	}

	private Stream<Class<?>> annotatedType(String beanName) {
		Object type = this.beanFactory.containsBeanDefinition(beanName)
				? this.beanFactory.getBeanDefinition(beanName).getAttribute(ReflectorBeanDefinitions.TYPE_ATTRIBUTE)
				: null;
		return (type instanceof Class<?> annotated) ? Stream.of(annotated) : Stream.empty();
	}

}
