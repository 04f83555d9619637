package dev.reflector.actuate;

import dev.reflector.cache.Change;
import dev.reflector.cache.ResourceEventHandler;

/**
 * Notes when changes reach a handler.
 *
 * @param <T> the type of the objects
 */
final class MeteredEventHandler<T> extends PassingEventHandler<T> {

	private final DeliveryClock<T> clock;

	MeteredEventHandler(ResourceEventHandler<T> delegate, DeliveryClock<T> clock) {
		super(delegate);
		this.clock = clock;
	}

	@Override
	public void onChange(Change<T> change) {
		this.clock.delivered(change);
		super.onChange(change);
	}

}
