package dev.reflector.event;

import java.util.function.Supplier;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.cache.Change;
import dev.reflector.cache.PassEnd;
import dev.reflector.cache.ResourceEventHandler;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes what a reflector delivers as events of the application context. An exception
 * of a listener is passed on to the reflector, which reports it and goes on; listeners
 * that would have come after that one do not hear the event.
 *
 * @param <T> the type of the objects
 */
public final class ReflectorEventPublisher<T> implements ResourceEventHandler<T> {

	private final Class<T> type;

	private final Supplier<? extends Reflector<T>> reflector;

	private final ApplicationEventPublisher publisher;

	/**
	 * Creates the publisher.
	 * @param type the type of the objects
	 * @param reflector gives the source of the events, which is made after its handlers
	 * @param publisher where to publish
	 */
	public ReflectorEventPublisher(Class<T> type, Supplier<? extends Reflector<T>> reflector,
			ApplicationEventPublisher publisher) {
		this.type = type;
		this.reflector = reflector;
		this.publisher = publisher;
	}

	@Override
	public void onChange(Change<T> change) {
		this.publisher.publishEvent(ResourceEvent.of(this.reflector.get(), this.type, change));
	}

	@Override
	public void onSynced(String resourceVersion) {
		this.publisher.publishEvent(new ReflectorSyncedEvent(this.reflector.get(), resourceVersion));
	}

	@Override
	public void onPassEnd(PassEnd reason, String message) {
		this.publisher.publishEvent(new ReflectorPassEndedEvent(this.reflector.get(), reason, message));
	}

	@Override
	public void onStateChange(ReflectorState previous, ReflectorState state, String reason) {
		this.publisher.publishEvent(new ReflectorStateChangedEvent(this.reflector.get(), previous, state, reason));
	}

}
