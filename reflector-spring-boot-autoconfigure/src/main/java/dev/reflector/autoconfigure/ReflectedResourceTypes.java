package dev.reflector.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.reflector.Reflector;
import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.internal.registration.MatchedBeans;
import dev.reflector.autoconfigure.internal.registration.ReflectorBeanDefinitions;
import dev.reflector.autoconfigure.internal.registration.ReflectorDefinition;
import dev.reflector.autoconfigure.internal.registration.ReflectorDefinitions;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Tells which types of the API server the application mirrors, without making a
 * reflector.
 *
 * @since 0.1.0
 */
public final class ReflectedResourceTypes {

	private final ConfigurableListableBeanFactory beanFactory;

	private final ReflectorDefinitions definitions;

	ReflectedResourceTypes(ConfigurableListableBeanFactory beanFactory, ReflectorDefinitions definitions) {
		this.beanFactory = beanFactory;
		this.definitions = definitions;
	}

	/**
	 * The types, as annotations, registrations and properties define them. A plural that
	 * is not declared is formed as in English.
	 * @return the distinct types, each with a plural
	 */
	public List<ResourceType> list() {
		return names().flatMap(this::definition)
			.map(ReflectorDefinition::resourceType)
			.map(ReflectedResourceTypes::withPlural)
			.distinct()
			.toList();
	}

	/**
	 * What reflectors request from an API server. A plural is the one that the server has
	 * named, if it has.
	 * @return the types, each with a plural, and their namespaces
	 */
	List<Wanted> wanted() {
		return names()
			.flatMap((name) -> definition(name).filter(this::isAskedFor)
				.map((definition) -> wanted(definition, known(name, definition))))
			.toList();
	}

	/**
	 * What the server says is marked. A plural that is as expected says nothing new,
	 * whoever has named it.
	 */
	private static Wanted wanted(ReflectorDefinition<?> definition, ResourceType known) {
		ResourceType expected = withPlural(definition.resourceType());
		ResourceType type = withPlural(known);
		return new Wanted(type, definition.namespaces(), !type.equals(expected));
	}

	private Stream<String> names() {
		return Arrays.stream(this.beanFactory.getBeanNamesForType(Reflector.class, true, false));
	}

	private static ResourceType withPlural(ResourceType type) {
		return type
			.withPlural(Objects.requireNonNullElseGet(type.plural(), () -> ResourceType.englishPlural(type.kind())));
	}

	private boolean isAskedFor(ReflectorDefinition<?> definition) {
		return definition.enabled() && new MatchedBeans(this.beanFactory).sources(definition).isEmpty();
	}

	private ResourceType known(String name, ReflectorDefinition<?> definition) {
		Object reflector = this.beanFactory.containsSingleton(name) ? this.beanFactory.getSingleton(name) : null;
		return (reflector instanceof Reflector<?> running) ? running.resourceType() : definition.resourceType();
	}

	private Stream<ReflectorDefinition<?>> definition(String beanName) {
		if (!this.beanFactory.containsBeanDefinition(beanName)) {
			return Stream.empty();
		}
		BeanDefinition definition = this.beanFactory.getBeanDefinition(beanName);
		if (definition.getAttribute(ReflectorBeanDefinitions.REGISTRATION_ATTRIBUTE) instanceof String bean) {
			ReflectedResourceRegistration<?> registration = this.beanFactory.getBean(bean,
					ReflectedResourceRegistration.class);
			return Stream.of(this.definitions.registered(bean, registration));
		}
		if (definition.getAttribute(ReflectorBeanDefinitions.GENERIC_ATTRIBUTE) instanceof String name) {
			return Stream.of(this.definitions.generic(name));
		}
		Object type = definition.getAttribute(ReflectorBeanDefinitions.TYPE_ATTRIBUTE);
		return (type instanceof Class<?> annotated) ? Stream.of(this.definitions.annotated(annotated)) : Stream.empty();
	}

	/**
	 * A type and the namespaces in which it is mirrored.
	 *
	 * @param type the type, with a plural
	 * @param namespaces the namespaces, empty for all
	 * @param namedByServer whether the plural is another one than expected, because the
	 * server has named it
	 */
	record Wanted(ResourceType type, List<String> namespaces, boolean namedByServer) {

	}

}
