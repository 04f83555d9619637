package dev.reflector.actuate.metrics;

import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DelegatingEventHandler;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.ResourceEventHandler;

/**
 * Measures when changes reach a handler.
 *
 * @param <T> the type of the objects
 */
final class MeteredEventHandler<T> extends DelegatingEventHandler<T> {

	private final DeliveryClock<T> clock;

	MeteredEventHandler(ResourceEventHandler<T> delegate, DeliveryClock<T> clock) {
		super(delegate);
		this.clock = clock;
	}

	@Override
	public void onChange(Change<T> change, DeliveryAttempts attempts) {
		this.clock.delivered(change);
		super.onChange(change, attempts);
	}

}
