package dev.reflector.console;

import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DelegatingEventHandler;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.ResourceEventHandler;

/**
 * Tells when changes reach a handler, and counts those it has handled or failed on.
 *
 * @param <T> the type of the objects
 */
final class TimedEventHandler<T> extends DelegatingEventHandler<T> {

	private final Deliveries deliveries;

	private final HandlerCounts counts;

	TimedEventHandler(ResourceEventHandler<T> delegate, Deliveries deliveries, HandlerCounts counts) {
		super(delegate);
		this.deliveries = deliveries;
		this.counts = counts;
	}

	@Override
	public void onChange(Change<T> change, DeliveryAttempts attempts) {
		this.deliveries.delivered(change);
		boolean handled = false;
		try {
			super.onChange(change, attempts);
			handled = true;
		}
		finally {
			if (handled) {
				this.counts.handled();
			}
			else {
				this.counts.failed();
			}
		}
	}

}
