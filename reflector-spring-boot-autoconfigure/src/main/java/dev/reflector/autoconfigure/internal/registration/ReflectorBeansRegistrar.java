package dev.reflector.autoconfigure.internal.registration;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.registration.ReflectedResourceProperties;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.event.ResourceEventStream;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Registers a reflector, a lister and a stream of events for each annotated type, unless
 * the context or one of its parents has a bean of the same generic type. Registers the
 * same three beans for each type that only properties declare.
 */
public final class ReflectorBeansRegistrar implements ImportBeanDefinitionRegistrar {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("reflector");

	private final DefaultListableBeanFactory beanFactory;

	private final Environment environment;

	private final ReflectedResourceScanner scanner;

	/**
	 * Creates the registrar.
	 * @param beanFactory the factory in which to register the beans
	 * @param environment the environment with the properties
	 * @param resourceLoader finds the classes
	 */
	ReflectorBeansRegistrar(BeanFactory beanFactory, Environment environment, ResourceLoader resourceLoader) {
		this.beanFactory = (DefaultListableBeanFactory) beanFactory;
		this.environment = environment;
		this.scanner = new ReflectedResourceScanner(environment, resourceLoader);
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
		ReflectedResourceScanner.Found found = this.scanner.scan(packages(registry));
		List<Class<?>> types = found.reflected();
		for (Class<?> type : types) {
			register(type, prefix(type, types));
		}
		if (isAnySet(this.environment)) {
			registerGeneric(types);
		}
		if (!found.applied().isEmpty()) {
			AppliedResourceTypes.register(registry, found.applied());
		}
	}

	/**
	 * Whether a property below {@code reflector} may be set.
	 * @param environment the environment
	 * @return {@code false} if none is set; {@code true} if one is set or may be set
	 */
	public static boolean isAnySet(Environment environment) {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			// some property sources cannot say whether they have such a property
			if (source.containsDescendantOf(PREFIX) != ConfigurationPropertyState.ABSENT) {
				return true;
			}
		}
		return false;
	}

	private void registerGeneric(List<Class<?>> types) {
		Map<String, ReflectedResourceProperties> resources = Binder.get(this.environment)
			.bind("reflector.resources", Bindable.mapOf(String.class, ReflectedResourceProperties.class))
			.orElseGet(Map::of);
		for (String key : names(resources)) {
			if (!isNameOfAny(types, key)) {
				registerGeneric(key);
			}
		}
	}

	/**
	 * Returns the names of the reflectors that properties can define. If an environment
	 * variable overrides a property of {@code my-pods}, Spring Boot binds the same
	 * settings to the keys {@code mypods} and {@code my-pods}. Both keys stand for one
	 * reflector, which has the name in the properties.
	 */
	private static List<String> names(Map<String, ReflectedResourceProperties> resources) {
		List<String> names = new ArrayList<>();
		resources.forEach((key, resource) -> {
			Predicate<String> same = (name) -> ReflectorNaming.isSame(name, key)
					&& resource.equals(resources.get(name));
			if (!key.equals(ReflectorNaming.uniform(key))) {
				names.removeIf(same);
			}
			if (resource.isComplete() && names.stream().noneMatch(same)) {
				names.add(key);
			}
		});
		return names;
	}

	private boolean isNameOfAny(List<Class<?>> types, String key) {
		ReflectorNames names = new ReflectorNames(this.environment);
		return types.stream().anyMatch((type) -> ReflectorNaming.isSame(key, names.name(type)));
	}

	private void registerGeneric(String name) {
		if (isMirroredByParent(name)) {
			return;
		}
		for (String beanName : ReflectorBeanDefinitions.generic(name)) {
			if (this.beanFactory.containsBeanDefinition(beanName)) {
				BeanDefinition other = this.beanFactory.getBeanDefinition(beanName);
				throw new ReflectorConfigurationException(
						"The bean '" + beanName + "' of 'reflector.resources." + name
								+ "' cannot be registered: there is one of "
								+ owner(other.getAttribute(ReflectorBeanDefinitions.TYPE_ATTRIBUTE), other),
						"Choose another name than '" + name + "' in 'reflector.resources', or rename the other one.");
			}
		}
		ReflectorBeanDefinitions.registerGeneric(this.beanFactory, name);
	}

	/**
	 * Whether a parent has a reflector with this name. If so, the properties are settings
	 * of the parent's reflector, and define no new one.
	 */
	private boolean isMirroredByParent(String key) {
		BeanFactory parent = this.beanFactory.getParentBeanFactory();
		return parent != null
				&& NamedReflectors.of(parent).anyMatch((reflector) -> ReflectorNaming.isSame(key, reflector.name()));
	}

	private Collection<String> packages(BeanDefinitionRegistry registry) {
		Collection<String> packages = ReflectedResourceScanPackages.get(registry);
		if (packages.isEmpty() && AutoConfigurationPackages.has(this.beanFactory)) {
			return AutoConfigurationPackages.get(this.beanFactory);
		}
		return packages;
	}

	/**
	 * Returns the prefix of the bean names. By default, the prefix is the simple name of
	 * the class. If other classes have the same simple name and the annotation sets a
	 * name, the prefix is the name of the reflector.
	 */
	private String prefix(Class<?> type, List<Class<?>> types) {
		String simple = ClassUtils.getShortNameAsProperty(type);
		boolean shared = types.stream()
			.anyMatch((other) -> other != type && ClassUtils.getShortNameAsProperty(other).equals(simple));
		return (shared && !ReflectorNames.annotation(type).name().isEmpty())
				? new ReflectorNames(this.environment).name(type) : simple;
	}

	private void register(Class<?> type, String prefix) {
		String reflectorBeanName = prefix + "Reflector";
		if (beanNames(Reflector.class, type).isEmpty()) {
			requireFree(reflectorBeanName, type);
			ReflectorBeanDefinitions.registerReflector(this.beanFactory, reflectorBeanName, type.getName());
		}
		List<String> informers = beanNames(SharedInformer.class, type);
		if (informers.size() == 1 && beanNames(Lister.class, type).isEmpty()) {
			requireFree(prefix + "Lister", type);
			ReflectorBeanDefinitions.registerLister(this.beanFactory, prefix + "Lister", type.getName(),
					informers.get(0));
		}
		if (informers.size() == 1 && beanNames(ResourceEventStream.class, type).isEmpty()) {
			requireFree(prefix + "EventStream", type);
			ReflectorBeanDefinitions.registerStream(this.beanFactory, prefix + "EventStream", type.getName(),
					informers.get(0));
		}
	}

	private List<String> beanNames(Class<?> beanType, Class<?> type) {
		// if a parent has a bean of the type, this context does not register the bean
		// again
		return Stream
			.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory,
					ResolvableType.forClassWithGenerics(beanType, type), true, false))
			.filter((name) -> !isOfRegistrationOfParent(name))
			.toList();
	}

	/**
	 * Whether a bean belongs to a registration in a parent. Such a bean does not replace
	 * the reflector of the annotated type.
	 */
	private boolean isOfRegistrationOfParent(String name) {
		try {
			return !this.beanFactory.containsLocalBean(name) && this.beanFactory.getMergedBeanDefinition(name)
				.hasAttribute(ReflectorBeanDefinitions.REGISTRATION_ATTRIBUTE);
		}
		catch (NoSuchBeanDefinitionException ex) {
			return false;
		}
	}

	private void requireFree(String beanName, Class<?> type) {
		if (this.beanFactory.containsBeanDefinition(beanName)) {
			BeanDefinition other = this.beanFactory.getBeanDefinition(beanName);
			throw new ReflectorConfigurationException(
					"The bean '" + beanName + "' of " + type.getName() + " cannot be registered: there is one of "
							+ owner(other.getAttribute(ReflectorBeanDefinitions.TYPE_ATTRIBUTE), other),
					"Set 'name' of the annotation of " + type.getName() + ", or rename one of them: names of beans are "
							+ "made of simple class names, and of 'name' where classes have the same simple name.");
		}
	}

	private static String owner(@Nullable Object type, BeanDefinition definition) {
		return (type instanceof Class<?> other) ? other.getName()
				: "this name already (" + definition.getResourceDescription() + ")";
	}

}
