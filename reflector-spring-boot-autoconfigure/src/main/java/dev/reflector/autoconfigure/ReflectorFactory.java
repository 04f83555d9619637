package dev.reflector.autoconfigure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.GenericResource;
import dev.reflector.Reflector;
import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.IndexFunction;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.TransformFunction;
import dev.reflector.client.ApiServerClient;
import dev.reflector.event.ReflectorEventPublisher;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;

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

	/** Name of its bean. */
	static final String BEAN_NAME = "reflectorFactory";

	private static final Logger logger = LoggerFactory.getLogger(ReflectorFactory.class);

	private final ReflectorProperties properties;

	private final ReflectorDefinitions definitions;

	private final ApiServerConnection connection;

	private final TimeSource time;

	private final Executor threads;

	private final ApplicationEventPublisher publisher;

	private final ListableBeanFactory beanFactory;

	private final MatchedBeans beans;

	private final Instruments instruments;

	private final PermissionAdvice advice;

	private final Map<String, ReflectorOwner> owners = new ConcurrentHashMap<>();

	private final List<ReflectorDefinition<?>> made = new CopyOnWriteArrayList<>();

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
		this.beans = new MatchedBeans(beanFactory);
		this.instruments = new Instruments(beanFactory);
		this.advice = new PermissionAdvice(() -> beanFactory.getBean(RbacManifest.class));
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
		this.made.add(definition);
		ResourceAccessor<T> accessor = this.beans.accessor(type);
		AtomicReference<SharedInformer<T>> reflector = new AtomicReference<>();
		ReflectorEventPublisher<T> events = new ReflectorEventPublisher<>(type, reflector::get, this.publisher,
				this.properties.events().policy(), this.time);
		List<ResourceEventHandler<T>> handlers = new ArrayList<>();
		handlers.add(events);
		handlers.addAll(handlers(type, events));
		ListerWatcher<T> source = this.instruments.source(definition.name(), accessor,
				listerWatcher(definition, accessor));
		SharedInformer<T> informer = SharedInformer
			.builder(definition.name(), transformed(type, source, accessor), accessor)
			.resourceType(definition.resourceType())
			.namespaces(definition.namespaces())
			.options(options(definition))
			.observer(observer(definition.name()))
			.time(this.time)
			.threads(this.threads)
			.build();
		reflector.set(informer);
		informer.addIndexers(indexers(type));
		for (ResourceEventHandler<T> handler : handlers) {
			informer.addEventHandler(this.instruments.handler(definition.name(), accessor, handler));
		}
		return informer;
	}

	private <T> ListerWatcher<T> transformed(Class<T> type, ListerWatcher<T> source, ResourceAccessor<T> accessor) {
		return this.beans.<TransformFunction<T>>provider(TransformFunction.class, type)
			.orderedStream()
			.reduce(source, (inner, function) -> ListerWatcher.transformed(inner, function, accessor),
					(first, second) -> second);
	}

	private void claimName(String name, String owner) {
		ReflectorOwner claim = new ReflectorOwner(name, owner);
		ReflectorOwner other = this.owners.putIfAbsent(ReflectorNames.uniform(name), claim);
		if (other != null && !other.description().equals(owner)) {
			throw other.clashesWith(claim);
		}
	}

	private <T> ListerWatcher<T> listerWatcher(ReflectorDefinition<T> definition, ResourceAccessor<T> accessor) {
		if (!definition.enabled()) {
			return idle(definition, "it is disabled by 'reflector.resources." + definition.name() + ".enabled'");
		}
		ListerWatcher<T> own = this.beans.source(definition);
		if (own != null) {
			return own;
		}
		return this.connection.client()
			.map((client) -> listerWatcher(client, definition, accessor))
			.orElseGet(() -> idle(definition, ApiServerConnection.NOT_CONFIGURED));
	}

	private <T> ListerWatcher<T> listerWatcher(ApiServerClient client, ReflectorDefinition<T> definition,
			ResourceAccessor<T> accessor) {
		requireReadable(client, definition);
		try {
			return new AdvisedListerWatcher<>(
					client.listerWatcher(definition.type(), accessor, definition.resourceType(),
							definition.labelSelector(), definition.fieldSelector(), definition.metadataOnly()),
					definition.name(), this.advice);
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

	private void requireReadable(ApiServerClient client, ReflectorDefinition<?> definition) {
		String problem = client.bindingProblem(definition.type());
		if (problem == null) {
			return;
		}
		String subject = "objects of " + definition.type().getName() + " cannot be read: " + problem;
		if (this.properties.binding().unreadableType() == ReflectorProperties.Binding.UnreadableType.FAIL) {
			throw new ReflectorConfigurationException(
					"The reflector '" + definition.name() + "' cannot be made: " + subject,
					"Correct the type, or tell Jackson how to read it. To start all the same, and skip each object "
							+ "that cannot be read, set 'reflector.binding.unreadable-type=warn'.");
		}
		logger.warn("Reflector '{}': {}. Each object that this concerns is skipped", definition.name(), subject);
	}

	private <T> ListerWatcher<T> idle(ReflectorDefinition<T> definition, String reason) {
		this.idle.put(definition.name(), reason);
		return new IdleListerWatcher<>(reason);
	}

	private <T> List<ResourceEventHandler<T>> handlers(Class<T> type, ReflectorEventPublisher<T> events) {
		List<ResourceEventHandler<T>> handlers = new ArrayList<>();
		for (String name : this.beans.names(ResourceEventHandler.class, type)) {
			handlers.add(events.guarded(() -> this.beans.bean(name), name));
		}
		return handlers;
	}

	private <T> Map<String, IndexFunction<T>> indexers(Class<T> type) {
		Map<String, IndexFunction<T>> indexers = new LinkedHashMap<>();
		for (String name : this.beans.names(IndexFunction.class, type)) {
			indexers.put(name, this.beans.bean(name));
		}
		return indexers;
	}

	private ReflectorObserver observer(String name) {
		return ReflectorObserver.composite(this.beanFactory.getBeanProvider(ReflectorObserverFactory.class)
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
			.verifyPeriod(this.properties.verifyPeriod())
			.internalErrorRetry(watch.internalErrorRetry())
			.concurrency(events.concurrency())
			.slowListenerThreshold(events.slowListenerThreshold());
	}

	/**
	 * Why a reflector is not to be started.
	 * @param reflector the reflector
	 * @return the reason, or {@code null} when it is to be started
	 */
	@Nullable String idleReason(Reflector<?> reflector) {
		return this.idle.get(reflector.name());
	}

	/** What has been made. */
	List<ReflectorDefinition<?>> definitions() {
		return this.made;
	}

}
