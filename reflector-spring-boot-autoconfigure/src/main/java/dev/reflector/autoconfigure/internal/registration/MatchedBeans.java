package dev.reflector.autoconfigure.internal.registration;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.GenericResource;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.MissingMetadataException;
import dev.reflector.cache.source.PollingListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.core.ResolvableType;

/**
 * Finds the beans of a context and its parents whose generic type matches a mirrored
 * type.
 */
public final class MatchedBeans {

	private final ListableBeanFactory beanFactory;

	public MatchedBeans(ListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Finds the accessor that reads keys and versions of the objects of a reflector.
	 * @param <T> the type of the objects
	 * @param definition definition of the reflector
	 * @return the accessor bean of the application, or else an accessor that reads the
	 * type's metadata. A polling source is an accessor, too, but only of objects from it,
	 * directly or through a source that wraps it. If the type has no metadata, it reads
	 * all objects of the type
	 */
	<T> ResourceAccessor<T> accessor(ReflectorDefinition<T> definition) {
		Class<T> type = definition.type();
		if (names(ResourceAccessor.class, type).stream().allMatch(this::polls)) {
			ListerWatcher<T> source = definition.settings().enabled() ? source(definition) : null;
			if (source instanceof PollingListerWatcher<T> polling) {
				return polling;
			}
			boolean wrapsPolling = source != null && !source.versionsOutliveProcess();
			if (!wrapsPolling) {
				return metadata(type);
			}
		}
		ResourceAccessor<T> accessor = accessor(type);
		return (accessor != null) ? accessor : metadata(type);
	}

	private <T> @Nullable ResourceAccessor<T> accessor(Class<T> type) {
		ObjectProvider<ResourceAccessor<T>> own = provider(ResourceAccessor.class, type);
		return unique(own::getIfAvailable,
				(names) -> new ReflectorConfigurationException(
						"The objects of " + type.getName() + " can have one accessor, but there are several beans of "
								+ "type ResourceAccessor<" + type.getSimpleName() + ">: " + names + ".",
						"Mark one of them as @Primary, or remove the others."));
	}

	/**
	 * Returns an accessor that reads the type's metadata. If the type has no metadata,
	 * returns a polling source of the type, which needs no metadata.
	 */
	private <T> ResourceAccessor<T> metadata(Class<T> type) {
		try {
			return MetadataAccessor.forType(type);
		}
		catch (MissingMetadataException ex) {
			for (String name : names(ListerWatcher.class, type)) {
				ListerWatcher<T> source = bean(name);
				if (source instanceof PollingListerWatcher<T> polling) {
					return polling;
				}
			}
			throw ex;
		}
	}

	private boolean polls(String name) {
		Object bean = bean(name);
		return bean instanceof PollingListerWatcher;
	}

	/**
	 * Returns the bean that replaces the API server as the source of a reflector, or
	 * {@code null} if there is none.
	 */
	<T> @Nullable ListerWatcher<T> source(ReflectorDefinition<T> definition) {
		List<String> sources = sources(definition);
		Class<T> type = definition.type();
		return switch (sources.size()) {
			case 0 -> null;
			case 1 -> bean(sources.get(0));
			default -> {
				ObjectProvider<ListerWatcher<T>> own = provider(ListerWatcher.class, type);
				yield unique(own::getObject,
						(names) -> new ReflectorConfigurationException(
								"The reflector '" + definition.name() + "' can have one source, but there are several "
										+ "beans of type ListerWatcher<" + type.getSimpleName() + ">: " + names + ".",
								"Give the right one the name '" + definition.name()
										+ "' as its bean name or with @Qualifier, mark it as @Primary, or remove the "
										+ "others."));
			}
		};
	}

	/**
	 * Finds the beans that may be the source of a reflector. A source in this context
	 * takes precedence over a source in a parent, and a source with the reflector's name
	 * over a source without a reflector's name. A source without a reflector's name is
	 * used only if the type has no other reflector.
	 * @param definition definition of the reflector
	 * @return names of beans
	 */
	public List<String> sources(ReflectorDefinition<?> definition) {
		Class<?> type = definition.type();
		List<String> own = localNames(ListerWatcher.class, type);
		List<String> named = named(own, definition);
		if (!named.isEmpty()) {
			return named;
		}
		boolean several = type == GenericResource.class || localNames(SharedInformer.class, type).size() > 1;
		if (!own.isEmpty() && !several) {
			return own;
		}
		List<String> all = names(ListerWatcher.class, type);
		named = named(all, definition);
		boolean ambiguous = several || !own.isEmpty() || names(SharedInformer.class, type).size() > 1;
		return (named.isEmpty() && !ambiguous) ? all : named;
	}

	private List<String> named(List<String> candidates, ReflectorDefinition<?> definition) {
		List<Predicate<String>> fits = List.of(definition.name()::equals,
				(name) -> ReflectorNaming.isSame(name, definition.name()));
		for (Predicate<String> fit : fits) {
			for (String name : candidates) {
				if (BeanFactoryAnnotationUtils.isQualifierMatch(fit, name, this.beanFactory)) {
					return List.of(name);
				}
			}
		}
		return List.of();
	}

	/**
	 * Finds the sources that no reflector uses, although there are reflectors of their
	 * type.
	 * @param definitions definitions of all reflectors
	 * @return the names of the unused sources, each with the names of the reflectors of
	 * the source's type
	 */
	public Map<String, List<String>> unusedSources(Collection<ReflectorDefinition<?>> definitions) {
		Map<String, List<String>> unused = new LinkedHashMap<>();
		definitions.stream().<Class<?>>map(ReflectorDefinition::type).distinct().forEach((type) -> {
			List<ReflectorDefinition<?>> reflectors = definitions.stream()
				.filter((definition) -> definition.type() == type)
				.toList();
			List<String> used = reflectors.stream().flatMap((definition) -> sources(definition).stream()).toList();
			List<String> names = reflectors.stream().map(ReflectorDefinition::name).sorted().toList();
			localNames(ListerWatcher.class, type).stream()
				.filter((source) -> !used.contains(source))
				.forEach((source) -> unused.put(source, names));
		});
		return unused;
	}

	/**
	 * Finds the names of matching beans, first those of this context. For a scoped bean,
	 * the name of the proxy is returned, but the type of the target bean is compared,
	 * because a proxy shows no type arguments.
	 */
	List<String> names(Class<?> beanType, Class<?> type) {
		return original(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory,
				ResolvableType.forClassWithGenerics(beanType, type)));
	}

	/**
	 * Does the same as {@link #names}, but only for beans of this context, not of its
	 * parents.
	 * @param beanType the generic type of the beans
	 * @param type the mirrored type
	 * @return the names of the beans
	 */
	public List<String> localNames(Class<?> beanType, Class<?> type) {
		return original(this.beanFactory.getBeanNamesForType(ResolvableType.forClassWithGenerics(beanType, type)));
	}

	private static List<String> original(String[] names) {
		return Stream.of(names)
			.map((name) -> ScopedProxyUtils.isScopedTarget(name) ? ScopedProxyUtils.getOriginalBeanName(name) : name)
			.distinct()
			.toList();
	}

	/** Finds the matching beans of this context and its parents. */
	<B> ObjectProvider<B> provider(Class<?> beanType, Class<?> type) {
		return this.beanFactory.getBeanProvider(ResolvableType.forClassWithGenerics(beanType, type));
	}

	/**
	 * Returns a bean of this context or a parent.
	 * @param <B> the type of the bean
	 * @param name name of the bean
	 * @return the bean
	 */
	@SuppressWarnings("unchecked")
	public <B> B bean(String name) {
		return (B) this.beanFactory.getBean(name);
	}

	private static <B> @Nullable B unique(Supplier<? extends @Nullable B> lookup, Several failure) {
		try {
			return lookup.get();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			Collection<String> names = ex.getBeanNamesFound();
			throw failure.of((names != null) ? names.stream().sorted().collect(Collectors.joining(", "))
					: String.valueOf(ex.getMessage()));
		}
	}

	/** A function that makes the exception for the case that several beans match. */
	@FunctionalInterface
	private interface Several {

		ReflectorConfigurationException of(String names);

	}

}
