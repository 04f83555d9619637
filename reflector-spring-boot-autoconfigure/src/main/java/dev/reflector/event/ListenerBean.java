package dev.reflector.event;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.event.GenericApplicationListenerAdapter;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.OrderUtils;

/**
 * Replaces an {@link ApplicationListener} bean for events of reflectors, so that the
 * delivery of an event calls the bean. The bean still decides which events it receives,
 * and its order among the listeners.
 */
class ListenerBean implements GenericApplicationListener, GuardedListener {

	private final String beanName;

	private final ResolvableType eventType;

	private final ApplicationListener<?> listener;

	private final GenericApplicationListener adapter;

	ListenerBean(String beanName, ResolvableType eventType, ApplicationListener<?> listener) {
		this.beanName = beanName;
		this.eventType = eventType;
		this.listener = listener;
		this.adapter = new GenericApplicationListenerAdapter(listener);
	}

	/**
	 * Creates the listener that replaces a bean.
	 * @param beanName name of the bean
	 * @param eventType the type of event that the bean declares
	 * @param listener the bean
	 * @return the listener
	 */
	static ListenerBean of(String beanName, ResolvableType eventType, ApplicationListener<?> listener) {
		return (listener instanceof PriorityOrdered) ? new Prioritized(beanName, eventType, listener)
				: new ListenerBean(beanName, eventType, listener);
	}

	@Override
	public boolean supportsEventType(ResolvableType type) {
		// for a lambda, only the bean definition declares the type of the event
		ResolvableType seen = EventTypes.seenAs(this.eventType, type);
		return this.eventType.isAssignableFrom(seen) && this.adapter.supportsEventType(seen);
	}

	@Override
	public boolean supportsSourceType(@Nullable Class<?> sourceType) {
		return this.adapter.supportsSourceType(sourceType);
	}

	@Override
	public boolean supportsAsyncExecution() {
		return this.listener.supportsAsyncExecution();
	}

	@Override
	public int getOrder() {
		return (this.listener instanceof Ordered ordered) ? ordered.getOrder()
				: OrderUtils.getOrder(AopUtils.getTargetClass(this.listener), LOWEST_PRECEDENCE);
	}

	@Override
	public String getListenerId() {
		return this.beanName;
	}

	@Override
	public void onApplicationEvent(ApplicationEvent event) {
		DeliveredEvent.pass(event, this);
	}

	@Override
	public void handle(ApplicationEvent event) {
		this.adapter.onApplicationEvent(event);
	}

	/**
	 * Replaces a {@link PriorityOrdered} bean. Such a bean is called before all beans
	 * that are only {@link Ordered}.
	 */
	private static final class Prioritized extends ListenerBean implements PriorityOrdered {

		private Prioritized(String beanName, ResolvableType eventType, ApplicationListener<?> listener) {
			super(beanName, eventType, listener);
		}

	}

}
