package dev.reflector.autoconfigure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.reflector.GenericResource;
import dev.reflector.Reflector;
import dev.reflector.cache.Backoff;
import dev.reflector.cache.IndexFunction;
import dev.reflector.cache.Instrumentation;
import dev.reflector.cache.ListerWatcher;
import dev.reflector.cache.MetadataAccessor;
import dev.reflector.cache.ReflectorObserver;
import dev.reflector.cache.ReflectorOptions;
import dev.reflector.cache.ResourceAccessor;
import dev.reflector.cache.ResourceEventHandler;
import dev.reflector.cache.SharedInformer;
import dev.reflector.cache.TimeSource;
import dev.reflector.client.ApiServerClient;
import dev.reflector.event.ReflectorEventPublisher;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.core.ResolvableType;
import org.springframework.util.function.SingletonSupplier;

/**
 * Makes the reflector of a type. Beans that are generic in the type take part: a
 * {@link ListerWatcher} replaces the API server, each {@link IndexFunction} becomes an
 * index under the name of its bean, and each {@link ResourceEventHandler} hears the
 * changes on a thread of its own. Of types without a class there may be several: a
 * {@link ListerWatcher} of {@link GenericResource} is for the one whose name it has as
 * bean name or qualifier, the others are for all of them.
 */
final class ReflectorFactory implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(ReflectorFactory.class);

	private final ReflectorProperties properties;

	private final ReflectorDefinitions definitions;

	private final ApiServerConnection connection;

	private final TimeSource time;

	private final Executor threads;

	private final ApplicationEventPublisher publisher;

	private final ListableBeanFactory beanFactory;

	private final Supplier<List<Instrumentation>> instrumentations;

	private final Map<String, Class<?>> types = new ConcurrentHashMap<>();

	private final Map<String, String> idle = new ConcurrentHashMap<>();

	ReflectorFactory(ReflectorProperties properties, ReflectorDefinitions definitions, ApiServerConnection connection,
			TimeSource time, Executor threads, ApplicationEventPublisher publisher, ListableBeanFactory beanFactory) {
		this.properties = properties;
		this.definitions = definitions;
		this.connection = connection;
		this.time = time;
		this.threads = threads;
		this.publisher = publisher;
		this.beanFactory = beanFactory;
		this.instrumentations = SingletonSupplier
			.of(() -> beanFactory.getBeanProvider(Instrumentation.class).orderedStream().toList());
	}

	/**
	 * Makes the reflector of a type, stopped.
	 * @param <T> the type of the objects
	 * @param type the annotated type
	 * @return the reflector
	 */
	<T> SharedInformer<T> create(Class<T> type) {
		return create(this.definitions.definition(type), MetadataAccessor.forType(type));
	}

	/**
	 * Makes the reflector of a type without a class, stopped.
	 * @param name name of the reflector
	 * @return the reflector
	 */
	SharedInformer<GenericResource> createGeneric(String name) {
		return create(this.definitions.generic(name), MetadataAccessor.forType(GenericResource.class));
	}

	private <T> SharedInformer<T> create(ReflectorDefinition<T> definition, MetadataAccessor<T> accessor) {
		Class<T> type = definition.type();
		claimName(definition);
		AtomicReference<SharedInformer<T>> reflector = new AtomicReference<>();
		ReflectorEventPublisher<T> events = new ReflectorEventPublisher<>(type, reflector::get, this.publisher,
				this.properties.events().policy(), this.time);
		List<ResourceEventHandler<T>> handlers = new ArrayList<>();
		handlers.add(events);
		handlers.addAll(handlers(type, events));
		handlers.replaceAll((handler) -> instrumented(definition.name(), accessor, handler));
		reflector.set(new SharedInformer<>(new SharedInformer.Config<>(definition.name(), definition.resourceType(),
				definition.namespaces(), instrumented(definition.name(), accessor, listerWatcher(definition, accessor)),
				accessor, options().resyncPeriod(definition.resyncPeriod()).build(), indexers(type), handlers,
				observer(definition.name()), this.time, new Random(), this.threads)));
		return reflector.get();
	}

	private <T> ListerWatcher<T> instrumented(String name, ResourceAccessor<T> accessor, ListerWatcher<T> source) {
		ListerWatcher<T> result = source;
		for (Instrumentation instrumentation : this.instrumentations.get()) {
			result = instrumentation.source(name, accessor, result);
		}
		return result;
	}

	private <T> ResourceEventHandler<T> instrumented(String name, ResourceAccessor<T> accessor,
			ResourceEventHandler<T> handler) {
		ResourceEventHandler<T> result = handler;
		for (Instrumentation instrumentation : this.instrumentations.get()) {
			result = instrumentation.handler(name, accessor, result);
		}
		return result;
	}

	private void claimName(ReflectorDefinition<?> definition) {
		Class<?> other = this.types.putIfAbsent(definition.name(), definition.type());
		if (other != null && other != definition.type()) {
			throw new ReflectorConfigurationException(
					"The reflectors of " + other.getName() + " and " + definition.type().getName()
							+ " have the same name '" + definition.name() + "'.",
					"Give one of them another name with the attribute 'name' of @ReflectedResource.");
		}
	}

	private <T> ListerWatcher<T> listerWatcher(ReflectorDefinition<T> definition, ResourceAccessor<T> accessor) {
		if (!definition.enabled()) {
			return idle(definition, "it is disabled by 'reflector.resources." + definition.name() + ".enabled'");
		}
		ListerWatcher<T> own = ownListerWatcher(definition);
		if (own != null) {
			return own;
		}
		return this.connection.client()
			.map((client) -> listerWatcher(client, definition, accessor))
			.orElseGet(() -> idle(definition, ApiServerConnection.NOT_CONFIGURED));
	}

	private <T> @Nullable ListerWatcher<T> ownListerWatcher(ReflectorDefinition<T> definition) {
		if (definition.type() != GenericResource.class) {
			return this.beanFactory
				.<ListerWatcher<T>>getBeanProvider(
						ResolvableType.forClassWithGenerics(ListerWatcher.class, definition.type()))
				.getIfAvailable();
		}
		for (String name : beanNames(ListerWatcher.class, definition.type())) {
			if (BeanFactoryAnnotationUtils.isQualifierMatch(definition.name()::equals, name, this.beanFactory)) {
				return bean(name);
			}
		}
		return null;
	}

	private <T> ListerWatcher<T> listerWatcher(ApiServerClient client, ReflectorDefinition<T> definition,
			ResourceAccessor<T> accessor) {
		try {
			return new AdvisedListerWatcher<>(
					client.listerWatcher(definition.type(), accessor, definition.resourceType(),
							definition.labelSelector(), definition.fieldSelector(), definition.metadataOnly()),
					definition.name(), () -> this.beanFactory.getBean(RbacManifest.class).yaml());
		}
		catch (IllegalArgumentException ex) {
			String key = "reflector.resources." + definition.name();
			throw new ReflectorConfigurationException(
					"The reflector '" + definition.name() + "' cannot be made: " + ex.getMessage(),
					"Correct the settings at '" + key + "' ("
							+ (Boolean.TRUE.equals(definition.metadataOnly())
									? "'metadata-only' is for types that declare nothing but 'metadata'"
									: "API version and plural must fit into a URL")
							+ ").",
					ex);
		}
	}

	private <T> ListerWatcher<T> idle(ReflectorDefinition<T> definition, String reason) {
		this.idle.put(definition.name(), reason);
		return new IdleListerWatcher<>(reason);
	}

	private <T> List<ResourceEventHandler<T>> handlers(Class<T> type, ReflectorEventPublisher<T> events) {
		List<ResourceEventHandler<T>> handlers = new ArrayList<>();
		for (String name : beanNames(ResourceEventHandler.class, type)) {
			handlers.add(events.guarded(new LateResourceEventHandler<>(() -> bean(name)), name));
		}
		return handlers;
	}

	private <T> Map<String, IndexFunction<T>> indexers(Class<T> type) {
		Map<String, IndexFunction<T>> indexers = new LinkedHashMap<>();
		for (String name : beanNames(IndexFunction.class, type)) {
			indexers.put(name, bean(name));
		}
		return indexers;
	}

	private String[] beanNames(Class<?> beanType, Class<?> type) {
		return this.beanFactory.getBeanNamesForType(ResolvableType.forClassWithGenerics(beanType, type));
	}

	@SuppressWarnings("unchecked")
	private <B> B bean(String name) {
		return (B) this.beanFactory.getBean(name);
	}

	private ReflectorObserver observer(String name) {
		return CompositeReflectorObserver.of(this.beanFactory.getBeanProvider(ReflectorObserverFactory.class)
			.orderedStream()
			.map((factory) -> factory.observer(name))
			.toList());
	}

	private ReflectorOptions.Builder options() {
		ReflectorProperties.Backoff backoff = this.properties.backoff();
		ReflectorProperties.Watch watch = this.properties.watch();
		ReflectorProperties.Events events = this.properties.events();
		Integer pageSize = this.properties.list().pageSize();
		return ReflectorOptions.builder()
			.pageSize((pageSize != null) ? pageSize : 0)
			.minWatchTimeout(watch.minTimeout())
			.watchOverlap(watch.overlap())
			.bookmarks(watch.bookmarks())
			.initialList(watch.initialList())
			.backoff(new Backoff.Settings(backoff.initial(), backoff.max(), backoff.multiplier(), backoff.jitter(),
					backoff.resetAfter()))
			.ordering(this.properties.queue().ordering())
			.queueCapacity(events.queueCapacity())
			.drainTimeout(events.drainTimeout())
			.overflow(events.overflow())
			.compatibility(this.properties.compatibility())
			.consistentFirstList(this.properties.list().consistentFirst())
			.recreationDetected(events.detectRecreation())
			.internalErrorRetry(watch.internalErrorRetry())
			.concurrency(events.concurrency());
	}

	/**
	 * Why a reflector is not to be started.
	 * @param reflector the reflector
	 * @return the reason, or {@code null} when it is to be started
	 */
	@Nullable String idleReason(Reflector<?> reflector) {
		return this.idle.get(reflector.name());
	}

	private static String remedy(ReflectorProperties.Resource resource) {
		if (resource.isComplete()) {
			return "it was not there when the application was built";
		}
		String missing = (resource.apiVersion() != null) ? "'kind' is"
				: (resource.kind() != null) ? "'api-version' is" : "'api-version' and 'kind' are";
		return "to mirror a type without a class, " + missing + " missing";
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.properties.resources().isEmpty()) {
			return;
		}
		List<String> names = this.beanFactory.<Reflector<?>>getBeanProvider(ResolvableType.forClass(Reflector.class))
			.stream()
			.map(Reflector::name)
			.sorted()
			.toList();
		this.properties.resources().forEach((key, resource) -> {
			if (names.stream().noneMatch((name) -> ReflectorNames.sameName(key, name))) {
				logger.warn("'reflector.resources.{}' has no effect: there is no reflector of that name, only {}; {}",
						key, names, remedy(resource));
			}
		});
	}

}
