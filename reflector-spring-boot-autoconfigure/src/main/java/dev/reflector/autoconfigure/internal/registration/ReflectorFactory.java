package dev.reflector.autoconfigure.internal.registration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.GenericResource;
import dev.reflector.Reflector;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import dev.reflector.cache.config.IndexFunction;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.informer.SharedInformerBuilder;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.event.ReflectorEventPublisher;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Makes reflectors from their definitions and from beans of the application that fit the
 * mirrored type: {@link ReflectorSources} finds the {@link ListerWatcher}, each
 * {@link IndexFunction} becomes an index with the name of its bean, and each
 * {@link ResourceEventHandler} receives the changes on its own thread. A
 * {@link ResourceAccessor} changes how keys and versions are read. If a type has several
 * reflectors, these beans apply to all of them.
 */
public final class ReflectorFactory implements DisposableBean {

	/** Name of the bean. */
	public static final String BEAN_NAME = "reflectorFactory";

	private final ReflectorDefinitions definitions;

	private final ReflectorSources sources;

	private final ReflectorConfigurer configurer;

	private final ReplicaDelivery delivery;

	private final ApplicationEventPublisher publisher;

	private final TimeSource time;

	private final MatchedBeans beans;

	private final InstrumentationChain instruments;

	private final Map<String, ReflectorOwner> owners = new ConcurrentHashMap<>();

	/** Names of the reflectors, by the names of their snapshots. */
	private final Map<String, String> snapshots = new ConcurrentHashMap<>();

	private final List<ReflectorDefinition<?>> made = new CopyOnWriteArrayList<>();

	private final List<SharedInformer<?>> informers = new CopyOnWriteArrayList<>();

	public ReflectorFactory(ReflectorDefinitions definitions, ReflectorSources sources, ReflectorConfigurer configurer,
			ReplicaDelivery delivery, ApplicationEventPublisher publisher, TimeSource time, MatchedBeans beans,
			InstrumentationChain instruments) {
		this.definitions = definitions;
		this.sources = sources;
		this.configurer = configurer;
		this.delivery = delivery;
		this.publisher = publisher;
		this.time = time;
		this.beans = beans;
		this.instruments = instruments;
	}

	/**
	 * Makes the reflector of an annotated type, but does not start it.
	 * @param <T> the type of the objects
	 * @param type the annotated type
	 * @return the reflector
	 */
	<T> SharedInformer<T> create(Class<T> type) {
		return create(this.definitions.annotated(type), type.getName());
	}

	/**
	 * Makes the reflector of a registration, but does not start it.
	 * @param <T> the type of the objects
	 * @param bean name of the registration's bean
	 * @param registration the registration
	 * @return the reflector
	 */
	<T> SharedInformer<T> createRegistered(String bean, ReflectedResourceRegistration<T> registration) {
		return create(this.definitions.registered(bean, registration), "the registration '" + bean + "'");
	}

	/**
	 * Makes the reflector of a type without a class, but does not start it.
	 * @param name name of the reflector
	 * @return the reflector
	 */
	SharedInformer<GenericResource> createGeneric(String name) {
		return create(this.definitions.generic(name), "'reflector.resources." + name + "'");
	}

	private <T> SharedInformer<T> create(ReflectorDefinition<T> definition, String owner) {
		String name = definition.name();
		claimName(name, owner);
		this.made.add(definition);
		ResourceAccessor<T> accessor = this.beans.accessor(definition);
		ReplicaDelivery.Part part = this.delivery.part();
		ListerWatcher<T> source = this.sources.source(definition, accessor, part);
		SharedInformerBuilder<T> builder = SharedInformer.builder(name, source, accessor)
			.resourceType(definition.resourceType())
			.namespaces(definition.namespaces())
			.options(this.configurer.options(definition))
			.observer(this.instruments.observer(name, this.sources.observer(definition, source)));
		DurableSnapshots snapshots = this.configurer.snapshots();
		if (snapshots != null && this.sources.idleReason(name) == null) {
			claimSnapshot(definition);
			builder.snapshot(snapshots.options(definition, this.delivery));
		}
		part.deliver(builder);
		this.configurer.builderCustomizer().accept(name, builder);
		SharedInformer<T> informer = build(builder);
		informer.addIndexers(indexers(definition.type()));
		handlers(definition.type(), informer)
			.forEach((handler) -> informer.addEventHandler(this.instruments.handler(name, accessor, handler)));
		informer.readAhead();
		this.delivery.add(informer);
		this.informers.add(informer);
		return informer;
	}

	private static <T> SharedInformer<T> build(SharedInformerBuilder<T> builder) {
		try {
			return builder.build();
		}
		catch (IllegalStateException ex) {
			throw new ReflectorConfigurationException(ex.getMessage() + ".",
					"Switch off 'reflector.snapshot.enabled' and 'reflector.sharding', or mirror this type in "
							+ "another application.",
					ex);
		}
	}

	/**
	 * Ends the delivery of the reflectors when the context is closed. The context of the
	 * delivery may be a parent, which is still open.
	 */
	@Override
	public void destroy() {
		this.informers.forEach(this.delivery::remove);
	}

	private void claimName(String name, String owner) {
		ReflectorOwner claim = new ReflectorOwner(name, owner);
		ReflectorOwner other = this.owners.putIfAbsent(ReflectorNaming.uniform(name), claim);
		if (other != null && !other.description().equals(owner)) {
			throw other.clashesWith(claim);
		}
	}

	/**
	 * Fails if another reflector has the same snapshot name. Only one of them could write
	 * the snapshot, and the other would wait forever.
	 */
	private void claimSnapshot(ReflectorDefinition<?> definition) {
		String name = definition.name();
		String other = this.snapshots.putIfAbsent(definition.snapshotName(), name);
		if (other != null && !other.equals(name)) {
			throw new ReflectorConfigurationException(
					"The reflectors '" + other + "' and '" + name + "' have the same snapshot '"
							+ definition.snapshotName() + "'.",
					"Remove 'snapshot-name' from 'reflector.resources." + other + "' or from 'reflector.resources."
							+ name + "', or give one of them another snapshot name.");
		}
	}

	private <T> List<ResourceEventHandler<T>> handlers(Class<T> type, Reflector<T> reflector) {
		ReflectorEventPublisher<T> events = new ReflectorEventPublisher<>(type, reflector, this.publisher,
				this.configurer.deliveryPolicy(), this.time);
		List<ResourceEventHandler<T>> handlers = new ArrayList<>();
		handlers.add(events);
		for (String name : this.beans.names(ResourceEventHandler.class, type)) {
			handlers.add(events.guarded(() -> this.beans.bean(name), name));
		}
		return handlers;
	}

	/**
	 * Returns the names of the handler beans that receive the changes of a type.
	 * @param type the type
	 * @return names of beans
	 */
	public List<String> handlerNames(Class<?> type) {
		return this.beans.names(ResourceEventHandler.class, type);
	}

	private <T> Map<String, IndexFunction<T>> indexers(Class<T> type) {
		Map<String, IndexFunction<T>> indexers = new LinkedHashMap<>();
		for (String name : this.beans.names(IndexFunction.class, type)) {
			indexers.put(name, this.beans.bean(name));
		}
		return indexers;
	}

	/**
	 * Returns the factory of a context, if the factory was created. It is not created if
	 * the application makes all reflectors itself or replaces them by mocks.
	 * @param beanFactory the context
	 * @return the factory, or empty if it was not created
	 */
	public static Optional<ReflectorFactory> inUse(ConfigurableListableBeanFactory beanFactory) {
		return beanFactory.containsSingleton(BEAN_NAME) ? Optional.of(beanFactory.getBean(ReflectorFactory.class))
				: Optional.empty();
	}

	/**
	 * Returns why a reflector will not be started. The reflector may belong to the given
	 * context or to a parent of this context.
	 * @param beanFactory the context
	 * @param reflector the reflector
	 * @return the reason, or {@code null} if the reflector will be started
	 */
	public static @Nullable String idleReason(BeanFactory beanFactory, Reflector<?> reflector) {
		BeanFactory next = beanFactory;
		while (next instanceof ConfigurableListableBeanFactory context) {
			Optional<String> reason = inUse(context).map((factory) -> factory.sources.idleReason(reflector.name()));
			if (reason.isPresent()) {
				return reason.get();
			}
			next = context.getParentBeanFactory();
		}
		return null;
	}

	/**
	 * Returns the definitions of the reflectors that this factory has made and whose
	 * source is the server.
	 * @return the definitions
	 */
	public List<ReflectorDefinition<?>> definitionsOfServer() {
		return this.made.stream().<ReflectorDefinition<?>>map((made) -> made).filter(this.sources::isOfServer).toList();
	}

	/**
	 * Returns whether a reflector has a source other than the server.
	 * @param reflector the reflector
	 * @return whether the source is not the server, empty if this factory has not made
	 * the reflector
	 */
	public Optional<Boolean> hasOwnSource(Reflector<?> reflector) {
		return this.made.stream()
			.filter((definition) -> definition.name().equals(reflector.name()))
			.findFirst()
			.map((definition) -> !this.sources.isOfServer(definition));
	}

	/**
	 * Returns whether the source of a reflector is certainly not the server: the
	 * application has declared another source, or the reflector is disabled. The
	 * reflector may belong to the given context or to a parent of this context.
	 * @param beanFactory the context
	 * @param reflector the reflector
	 * @return whether the source is not the server; {@code false} if the application has
	 * made the reflector itself
	 */
	static boolean hasOwnSource(BeanFactory beanFactory, Reflector<?> reflector) {
		BeanFactory next = beanFactory;
		while (next instanceof ConfigurableListableBeanFactory context) {
			Optional<Boolean> known = inUse(context).flatMap((factory) -> factory.hasOwnSource(reflector));
			if (known.isPresent()) {
				return known.get();
			}
			next = context.getParentBeanFactory();
		}
		return false;
	}

	/**
	 * Returns the definitions of all reflectors that this factory has made.
	 * @return the definitions
	 */
	public List<ReflectorDefinition<?>> definitions() {
		return this.made;
	}

}
