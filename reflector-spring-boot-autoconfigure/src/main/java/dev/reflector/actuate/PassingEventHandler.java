package dev.reflector.actuate;

import dev.reflector.ReflectorState;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.PassEnd;
import dev.reflector.cache.handler.ResourceEventHandler;

/**
 * Hands on to another handler whatever it hears; what it does about changes besides is
 * said by each kind.
 *
 * @param <T> the type of the objects
 */
abstract class PassingEventHandler<T> implements ResourceEventHandler<T> {

	private final ResourceEventHandler<T> delegate;

	PassingEventHandler(ResourceEventHandler<T> delegate) {
		this.delegate = delegate;
	}

	@Override
	public final String name() {
		return this.delegate.name();
	}

	@Override
	public final void onChange(Change<T> change) {
		onChange(change, DeliveryAttempts.NONE);
	}

	@Override
	public void onChange(Change<T> change, DeliveryAttempts attempts) {
		this.delegate.onChange(change, attempts);
	}

	@Override
	public final void onStart() {
		this.delegate.onStart();
	}

	@Override
	public final void onStop() {
		this.delegate.onStop();
	}

	@Override
	public final void onSynced(String resourceVersion) {
		this.delegate.onSynced(resourceVersion);
	}

	@Override
	public final void onPassEnd(PassEnd reason, String message) {
		this.delegate.onPassEnd(reason, message);
	}

	@Override
	public final void onStateChange(ReflectorState previous, ReflectorState state, String reason) {
		this.delegate.onStateChange(previous, state, reason);
	}

}
