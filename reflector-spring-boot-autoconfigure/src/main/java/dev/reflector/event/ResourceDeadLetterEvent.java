package dev.reflector.event;

import java.util.List;

import org.springframework.core.ResolvableType;
import org.springframework.core.ResolvableTypeProvider;

/**
 * Published when listeners have failed on a change and no attempt is left. One event is
 * published for each change that could not be delivered, whatever the value of
 * {@code reflector.events.on-error}. If a stop ends the attempts earlier, no event is
 * published, because the change does not count as received. The event is published on the
 * thread that delivers the change. If a listener of this event throws an exception, the
 * exception is only logged.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public final class ResourceDeadLetterEvent<T> extends DeliveredEvent implements ResolvableTypeProvider {

	private final transient ResourceEvent<T> event;

	private final Throwable failure;

	private final transient List<String> listeners;

	private final int attempts;

	/**
	 * Creates the event.
	 * @param event the event that could not be delivered
	 * @param failure failure of the first listener
	 * @param listeners names of the listeners that have failed, empty if no name is known
	 * @param attempts number of attempts
	 */
	public ResourceDeadLetterEvent(ResourceEvent<T> event, Throwable failure, List<String> listeners, int attempts) {
		super(event.getSource());
		this.event = event;
		this.failure = failure;
		this.listeners = List.copyOf(listeners);
		this.attempts = attempts;
	}

	/**
	 * Returns the event that could not be delivered.
	 * @return the event
	 */
	public ResourceEvent<T> event() {
		return this.event;
	}

	/**
	 * Returns the failure of the first listener in the last attempt. The failures of
	 * other listeners are its suppressed exceptions.
	 * @return the failure
	 */
	public Throwable failure() {
		return this.failure;
	}

	/**
	 * Returns the names of the listeners that have failed in the last attempt. A name is
	 * the {@link org.springframework.context.event.EventListener#id() id} of a method, or
	 * the bean name of a handler.
	 * @return the names, empty when no name is known
	 */
	public List<String> listeners() {
		return this.listeners;
	}

	/**
	 * Returns the number of attempts.
	 * @return the number, at least one
	 */
	public int attempts() {
		return this.attempts;
	}

	@Override
	public ResolvableType getResolvableType() {
		return ResolvableType.forClassWithGenerics(ResourceDeadLetterEvent.class,
				this.event.getResolvableType().getGeneric());
	}

	@Override
	public String toString() {
		return getClass().getSimpleName() + "[" + this.event + " after " + this.attempts + " attempts: "
				+ this.failure.getClass().getName() + "]";
	}

}
