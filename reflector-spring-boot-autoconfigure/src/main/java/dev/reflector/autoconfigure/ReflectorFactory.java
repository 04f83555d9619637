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
import dev.reflector.cache.BackoffSettings;
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
import dev.reflector.cache.TransformFunction;
import dev.reflector.client.ApiServerClient;
import dev.reflector.event.ReflectorEventPublisher;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.core.ResolvableType;
import org.springframework.util.function.SingletonSupplier;

/**
 * Makes the reflector of a type. Beans that are generic in the type take part: a
 * {@link ListerWatcher} replaces the API server, each {@link IndexFunction} becomes an
 * index under the name of its bean, and each {@link ResourceEventHandler} hears the
 * changes on a thread of its own. {@link TransformFunction}s change objects before they
 * are stored, and a {@link ResourceAccessor} replaces how keys and versions are read. Of
 * one type, that without a class included, there may be several reflectors: a
 * {@link ListerWatcher} is for the one whose name it has as bean name or qualifier, the
 * others are for all of them.
 */
final class ReflectorFactory {

	private final ReflectorProperties properties;

	private final ReflectorDefinitions definitions;

	private final ApiServerConnection connection;

	private final TimeSource time;

	private final Executor threads;

	private final ApplicationEventPublisher publisher;

	private final ListableBeanFactory beanFactory;

	private final Supplier<List<Instrumentation>> instrumentations;

	private final Map<String, Owner> owners = new ConcurrentHashMap<>();

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
		return create(this.definitions.definition(type), type.getName());
	}

	/**
	 * Makes the reflector of a registration, stopped.
	 * @param <T> the type of the objects
	 * @param bean name of the registration's bean
	 * @param registration the registration
	 * @return the reflector
	 */
	<T> SharedInformer<T> createRegistered(String bean, ReflectedResourceRegistration<T> registration) {
		return create(this.definitions.registered(bean, registration), "the registration '" + bean + "'");
	}

	/**
	 * Makes the reflector of a type without a class, stopped.
	 * @param name name of the reflector
	 * @return the reflector
	 */
	SharedInformer<GenericResource> createGeneric(String name) {
		return create(this.definitions.generic(name), "'reflector.resources." + name + "'");
	}

	private <T> SharedInformer<T> create(ReflectorDefinition<T> definition, String owner) {
		Class<T> type = definition.type();
		claimName(definition.name(), owner);
		ResourceAccessor<T> accessor = accessor(type);
		AtomicReference<SharedInformer<T>> reflector = new AtomicReference<>();
		ReflectorEventPublisher<T> events = new ReflectorEventPublisher<>(type, reflector::get, this.publisher,
				this.properties.events().policy(), this.time);
		List<ResourceEventHandler<T>> handlers = new ArrayList<>();
		handlers.add(events);
		handlers.addAll(handlers(type, events));
		handlers.replaceAll((handler) -> instrumented(definition.name(), accessor, handler));
		reflector.set(new SharedInformer<>(new SharedInformer.Config<>(definition.name(), definition.resourceType(),
				definition.namespaces(),
				transformed(type, instrumented(definition.name(), accessor, listerWatcher(definition, accessor)),
						accessor),
				accessor, options(definition), indexers(type), handlers, observer(definition.name()), this.time,
				new Random(), this.threads)));
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

	private <T> ResourceAccessor<T> accessor(Class<T> type) {
		ResourceAccessor<T> own = this.<ResourceAccessor<T>>provider(ResourceAccessor.class, type).getIfAvailable();
		return (own != null) ? own : MetadataAccessor.forType(type);
	}

	private <T> ListerWatcher<T> transformed(Class<T> type, ListerWatcher<T> source, ResourceAccessor<T> accessor) {
		return this.<TransformFunction<T>>provider(TransformFunction.class, type)
			.orderedStream()
			.reduce(source, (inner, function) -> ListerWatcher.transformed(inner, function, accessor),
					(first, second) -> second);
	}

	private <B> ObjectProvider<B> provider(Class<?> beanType, Class<?> type) {
		return this.beanFactory.getBeanProvider(ResolvableType.forClassWithGenerics(beanType, type));
	}

	private void claimName(String name, String owner) {
		Owner other = this.owners.putIfAbsent(ReflectorNames.uniform(name), new Owner(name, owner));
		if (other == null || other.description().equals(owner)) {
			return;
		}
		if (other.name().equals(name)) {
			throw new ReflectorConfigurationException(
					"The reflectors of " + other.description() + " and " + owner + " have the same name '" + name
							+ "'.",
					"Give one of them another name with the attribute 'name' of @ReflectedResource, or with 'withName' of "
							+ "its registration.");
		}
		throw new ReflectorConfigurationException(
				"The reflectors '" + other.name() + "' of " + other.description() + " and '" + name + "' of " + owner
						+ " share the settings below 'reflector.resources': their names differ only in case, dashes, "
						+ "dots or underscores.",
				"Give one of them a name that differs in letters or digits.");
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
		List<String> sources = sources(this.beanFactory, definition);
		return switch (sources.size()) {
			case 0 -> null;
			case 1 -> bean(sources.get(0));
			// a primary one, if there is
			default -> this.<ListerWatcher<T>>provider(ListerWatcher.class, definition.type()).getObject();
		};
	}

	/**
	 * The beans that may be the source of a reflector. Where a type has several
	 * reflectors, only a name can tell.
	 */
	static List<String> sources(ListableBeanFactory beanFactory, ReflectorDefinition<?> definition) {
		List<String> candidates = beanNames(beanFactory, ListerWatcher.class, definition.type());
		for (String name : candidates) {
			if (BeanFactoryAnnotationUtils.isQualifierMatch(definition.name()::equals, name, beanFactory)) {
				return List.of(name);
			}
		}
		boolean several = definition.type() == GenericResource.class
				|| beanNames(beanFactory, SharedInformer.class, definition.type()).size() > 1;
		return several ? List.of() : candidates;
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

	private List<String> beanNames(Class<?> beanType, Class<?> type) {
		return beanNames(this.beanFactory, beanType, type);
	}

	private static List<String> beanNames(ListableBeanFactory beanFactory, Class<?> beanType, Class<?> type) {
		return List.of(beanFactory.getBeanNamesForType(ResolvableType.forClassWithGenerics(beanType, type)));
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

	private ReflectorOptions options(ReflectorDefinition<?> definition) {
		ReflectorOptions.Builder options = options().resyncPeriod(definition.resyncPeriod());
		this.beanFactory.getBeanProvider(ReflectorOptionsCustomizer.class)
			.orderedStream()
			.forEach((customizer) -> customizer.customize(definition.name(), options));
		return options.build();
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
			.backoff(new BackoffSettings(backoff.initial(), backoff.max(), backoff.multiplier(), backoff.jitter(),
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

	/**
	 * Whose reflector has a name.
	 *
	 * @param name the name
	 * @param description what has declared it
	 */
	private record Owner(String name, String description) {

	}

}
