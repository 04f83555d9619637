package dev.reflector.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.reflector.Reflector;
import dev.reflector.ResourceType;

import org.springframework.beans.factory.config.BeanDefinition;
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
			.flatMap(this::definition)
			.map(ReflectorDefinition::resourceType)
			.map((type) -> type
				.withPlural(Objects.requireNonNullElseGet(type.plural(), () -> EnglishPlural.of(type.kind()))))
			.distinct()
			.toList();
	}

	private Stream<ReflectorDefinition<?>> definition(String beanName) {
		if (!this.beanFactory.containsBeanDefinition(beanName)) {
			return Stream.empty();
		}
		BeanDefinition definition = this.beanFactory.getBeanDefinition(beanName);
		if (definition.getAttribute(ReflectorBeanDefinitions.GENERIC_ATTRIBUTE) instanceof String name) {
			return Stream.of(this.definitions.generic(name));
		}
		Object type = definition.getAttribute(ReflectorBeanDefinitions.TYPE_ATTRIBUTE);
		return (type instanceof Class<?> annotated) ? Stream.of(this.definitions.definition(annotated))
				: Stream.empty();
	}

}
