package dev.reflector.autoconfigure.internal.registration;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.reflector.Reflector;
import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.autoconfigure.registration.ReflectedResourceTypes;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The types that the reflectors of a context mirror, read from their bean definitions.
 */
public final class MirroredResourceTypes implements ReflectedResourceTypes {

	private final ConfigurableListableBeanFactory beanFactory;

	private final ReflectorDefinitions definitions;

	public MirroredResourceTypes(ConfigurableListableBeanFactory beanFactory, ReflectorDefinitions definitions) {
		this.beanFactory = beanFactory;
		this.definitions = definitions;
	}

	@Override
	public List<ResourceType> list() {
		return names().flatMap(this::definition)
			.map(ReflectorDefinition::resourceType)
			.map(MirroredResourceTypes::withPlural)
			.distinct()
			.toList();
	}

	@Override
	public List<Requested> requested() {
		return names()
			.flatMap((name) -> definition(name).filter(this::isAskedFor)
				.map((definition) -> requested(definition, known(name, definition))))
			.toList();
	}

	/**
	 * Returns the type of a definition with its plural and namespaces. The plural is
	 * marked as named by the server only if it differs from the declared plural or the
	 * English plural.
	 */
	private static Requested requested(ReflectorDefinition<?> definition, ResourceType known) {
		ResourceType expected = withPlural(definition.resourceType());
		ResourceType type = withPlural(known);
		return new Requested(type, definition.namespaces(), !type.equals(expected));
	}

	private Stream<String> names() {
		return Arrays.stream(this.beanFactory.getBeanNamesForType(Reflector.class, true, false));
	}

	private static ResourceType withPlural(ResourceType type) {
		return type
			.withPlural(Objects.requireNonNullElseGet(type.plural(), () -> ResourceType.englishPlural(type.kind())));
	}

	private boolean isAskedFor(ReflectorDefinition<?> definition) {
		return definition.settings().enabled() && new MatchedBeans(this.beanFactory).sources(definition).isEmpty();
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

}
