package dev.reflector.event;

import java.util.function.Supplier;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.handler.ResourceEventHandler;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes the changes that a reflector delivers as events of the application context. A
 * policy says what to do when a listener throws an exception. If a listener that a
 * {@link ReflectorEventListenerFactory} or {@link ReflectorListenerBeans} has created
 * throws an exception, the other listeners are still called. If any other listener throws
 * an exception, Spring does not call the listeners after it.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public final class ReflectorEventPublisher<T> implements ResourceEventHandler<T> {

	private final Class<T> type;

	private final Reflector<T> reflector;

	private final ApplicationEventPublisher publisher;

	private final DeliveryPolicy policy;

	private final TimeSource time;

	private final DeliveryGuard guard;

	/**
	 * Creates the publisher.
	 * @param type the type of the objects
	 * @param reflector the source of the events
	 * @param publisher publishes the events
	 * @param policy what to do when listeners fail
	 * @param time source of time
	 */
	public ReflectorEventPublisher(Class<T> type, Reflector<T> reflector, ApplicationEventPublisher publisher,
			DeliveryPolicy policy, TimeSource time) {
		this.type = type;
		this.reflector = reflector;
		this.publisher = publisher;
		this.policy = policy;
		this.time = time;
		this.guard = new DeliveryGuard(policy, publisher, time);
	}

	/**
	 * Wraps another handler of the reflector, so that the policy of this publisher
	 * applies to that handler, too.
	 * @param handler supplies the handler; called once, at the first delivery
	 * @param name name of the handler, human-readable
	 * @return the wrapping handler, to add to the reflector instead of the other handler
	 */
	public ResourceEventHandler<T> guarded(Supplier<ResourceEventHandler<T>> handler, String name) {
		return new GuardedEventHandler<>(handler, name, this::event,
				new DeliveryGuard(this.policy, this.publisher, this.time), this.time);
	}

	private ResourceEvent<T> event(Change<T> change) {
		return ResourceEvent.of(this.reflector, this.type, change);
	}

	@Override
	public String name() {
		return "event listeners";
	}

	@Override
	public void onStart() {
		this.guard.start();
	}

	@Override
	public void onStop() {
		this.guard.stop();
	}

	@Override
	public void onChange(Change<T> change) {
		onChange(change, DeliveryAttempts.NONE);
	}

	@Override
	public void onChange(Change<T> change, DeliveryAttempts attempts) {
		ResourceEvent<T> event = event(change);
		this.guard.deliver(delivery(event), () -> event, attempts);
	}

	@Override
	public void onSynced(String resourceVersion) {
		deliver(new ReflectorSyncedEvent(this.reflector, resourceVersion));
	}

	@Override
	public void onRelist(RelistReason reason, String message) {
		deliver(new ReflectorRelistEvent(this.reflector, reason, message));
	}

	@Override
	public void onStateChange(ReflectorState previous, ReflectorState state, String reason) {
		deliver(new ReflectorStateChangedEvent(this.reflector, previous, state, reason));
	}

	private void deliver(DeliveredEvent event) {
		this.guard.deliver(delivery(event), null, DeliveryAttempts.NONE);
	}

	private Delivery delivery(DeliveredEvent event) {
		return new Delivery(event, this.publisher, this.time);
	}

}
