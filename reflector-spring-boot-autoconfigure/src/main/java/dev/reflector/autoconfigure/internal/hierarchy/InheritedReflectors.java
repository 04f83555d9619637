package dev.reflector.autoconfigure.internal.hierarchy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.internal.registration.InstrumentationChain;
import dev.reflector.autoconfigure.internal.registration.MatchedBeans;
import dev.reflector.autoconfigure.internal.registration.NamedReflectors;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.HandlerRegistration;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.informer.Instrumentation;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.event.DeliveryPolicy;
import dev.reflector.event.ReflectorEventPublisher;
import dev.reflector.event.ResourceDeadLetterEvent;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;

/**
 * Passes the events of the parents' reflectors to the listeners and handlers of this
 * context. Spring passes the events of a context to its parents but not to its children.
 * Therefore, this context adds a handler to each reflector of its parents. The handler
 * publishes events only to the listeners of this context. The
 * {@link ResourceEventHandler} beans of this context are added, too. When the context
 * stops, all of them still receive the changes in their queues.
 */
public final class InheritedReflectors implements SmartLifecycle {

	private final ConfigurableListableBeanFactory beanFactory;

	private final ApplicationEventPublisher publisher;

	private final Supplier<DeliveryPolicy> policy;

	private final ObjectProvider<TimeSource> time;

	private final MatchedBeans beans;

	private final List<HandlerRegistration> registrations = new ArrayList<>();

	private boolean running;

	/**
	 * Creates this bean without handlers. {@link #start()} adds them.
	 * @param beanFactory the context
	 * @param publisher publishes events to the context and its parents
	 * @param policy supplies the policy for failing listeners; called only if a parent
	 * has reflectors
	 * @param time source of time
	 */
	public InheritedReflectors(ConfigurableListableBeanFactory beanFactory, ApplicationEventPublisher publisher,
			Supplier<DeliveryPolicy> policy, ObjectProvider<TimeSource> time) {
		this.beanFactory = beanFactory;
		this.publisher = publisher;
		this.policy = policy;
		this.time = time;
		this.beans = new MatchedBeans(beanFactory);
	}

	@Override
	public synchronized void start() {
		if (this.running) {
			return;
		}
		this.running = true;
		if (this.beanFactory.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent) {
			for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(parent, SharedInformer.class, true,
					false)) {
				Class<?> type = NamedReflectors.mirrored(parent, name);
				if (type != null) {
					join(parent.getBean(name, SharedInformer.class), type,
							new InstrumentationChain(owner(parent, name).getBeanProvider(Instrumentation.class)));
				}
			}
		}
	}

	/**
	 * Returns the context that defines a reflector. The instrumentation beans of that
	 * context also observe the deliveries to listeners of this context.
	 */
	private static ConfigurableListableBeanFactory owner(ConfigurableListableBeanFactory context, String name) {
		return (!context.containsLocalBean(name)
				&& context.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent)
						? owner(parent, name) : context;
	}

	@SuppressWarnings("unchecked")
	private <T> void join(SharedInformer<?> informer, Class<T> type, InstrumentationChain instruments) {
		SharedInformer<T> reflector = (SharedInformer<T>) informer;
		ApplicationEventMulticaster multicaster = this.beanFactory.getBean(
				AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME, ApplicationEventMulticaster.class);
		ReflectorEventPublisher<T> events = new ReflectorEventPublisher<>(type, reflector,
				(event) -> publish(multicaster, (ApplicationEvent) event), this.policy.get(), this.time.getObject());
		List<ResourceEventHandler<T>> handlers = new ArrayList<>();
		handlers.add(events);
		for (String name : this.beans.localNames(ResourceEventHandler.class, type)) {
			handlers.add(events.guarded(() -> this.beans.bean(name), name));
		}
		handlers.forEach((handler) -> this.registrations
			.add(reflector.addEventHandler(instruments.handler(reflector.name(), reflector.accessor(), handler))));
	}

	/**
	 * Publishes an event to the listeners of this context. Dead letters are published to
	 * the parents, too, because they are about listeners of this context only.
	 */
	private void publish(ApplicationEventMulticaster multicaster, ApplicationEvent event) {
		if (event instanceof ResourceDeadLetterEvent<?>) {
			this.publisher.publishEvent(event);
		}
		else {
			multicaster.multicastEvent(event);
		}
	}

	@Override
	public void stop() {
		leave().join();
	}

	@Override
	public void stop(Runnable callback) {
		leave().whenComplete((nothing, failure) -> callback.run());
	}

	private synchronized CompletableFuture<Void> leave() {
		this.running = false;
		CompletableFuture<?>[] left = this.registrations.stream()
			.map(InheritedReflectors::leave)
			.map(CompletionStage::toCompletableFuture)
			.toArray(CompletableFuture<?>[]::new);
		this.registrations.clear();
		return CompletableFuture.allOf(left);
	}

	private static CompletionStage<Void> leave(HandlerRegistration registration) {
		boolean fromWithin = registration.isEndedFromWithin();
		CompletionStage<Void> left = registration.drain();
		return fromWithin ? CompletableFuture.completedFuture(null) : left;
	}

	@Override
	public synchronized boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return ReflectorLifecycle.PHASE;
	}

}
