package dev.reflector.actuate;

import dev.reflector.ReflectorState;
import dev.reflector.cache.Change;
import dev.reflector.cache.PassEnd;
import dev.reflector.cache.ResourceEventHandler;

/**
 * Notes when changes reach a handler.
 *
 * @param <T> the type of the objects
 */
final class MeteredEventHandler<T> implements ResourceEventHandler<T> {

	private final ResourceEventHandler<T> delegate;

	private final DeliveryClock<T> clock;

	MeteredEventHandler(ResourceEventHandler<T> delegate, DeliveryClock<T> clock) {
		this.delegate = delegate;
		this.clock = clock;
	}

	@Override
	public void onChange(Change<T> change) {
		this.clock.delivered(change);
		this.delegate.onChange(change);
	}

	@Override
	public void onStart() {
		this.delegate.onStart();
	}

	@Override
	public void onStop() {
		this.delegate.onStop();
	}

	@Override
	public void onSynced(String resourceVersion) {
		this.delegate.onSynced(resourceVersion);
	}

	@Override
	public void onPassEnd(PassEnd reason, String message) {
		this.delegate.onPassEnd(reason, message);
	}

	@Override
	public void onStateChange(ReflectorState previous, ReflectorState state, String reason) {
		this.delegate.onStateChange(previous, state, reason);
	}

}
