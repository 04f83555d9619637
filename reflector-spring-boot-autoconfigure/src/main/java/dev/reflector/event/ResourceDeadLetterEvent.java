package dev.reflector.event;

import java.util.List;

import org.springframework.context.ApplicationEvent;
import org.springframework.core.ResolvableType;
import org.springframework.core.ResolvableTypeProvider;

/**
 * A change was given up, as listeners have failed on it and no attempt is left. Published
 * once for each such change, on the thread of its delivery, whatever
 * {@code reflector.events.on-error} is. A listener of this event that throws is logged,
 * and nothing else follows.
 *
 * @param <T> the type of the objects
 */
public final class ResourceDeadLetterEvent<T> extends ApplicationEvent implements ResolvableTypeProvider {

	private final transient ResourceEvent<T> event;

	private final Throwable failure;

	private final transient List<String> listeners;

	private final int attempts;

	/**
	 * Creates the event.
	 * @param event the event that could not be delivered
	 * @param failure what the first listener has failed with
	 * @param listeners names of the listeners that have failed, as far as they are known
	 * @param attempts how often it was attempted
	 */
	public ResourceDeadLetterEvent(ResourceEvent<T> event, Throwable failure, List<String> listeners, int attempts) {
		super(event.getSource());
		this.event = event;
		this.failure = failure;
		this.listeners = List.copyOf(listeners);
		this.attempts = attempts;
	}

	/**
	 * The event that could not be delivered.
	 * @return the event
	 */
	public ResourceEvent<T> event() {
		return this.event;
	}

	/**
	 * What the first listener has failed with in the last attempt; the failures of
	 * further ones are suppressed by it.
	 * @return the failure
	 */
	public Throwable failure() {
		return this.failure;
	}

	/**
	 * The listeners that have failed in the last attempt: of methods the
	 * {@link org.springframework.context.event.EventListener#id() id}, of handlers the
	 * name of the bean.
	 * @return the names, empty when no name is known
	 */
	public List<String> listeners() {
		return this.listeners;
	}

	/**
	 * How often the delivery was attempted.
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
