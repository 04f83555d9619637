package dev.reflector.cache.handler;

import java.util.concurrent.CompletionStage;

import dev.reflector.ReflectorState;

/**
 * Passes every call on to another handler. To change or measure some calls, extend this
 * class and override the methods of these calls.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public abstract class DelegatingEventHandler<T> implements ResourceEventHandler<T> {

	private final ResourceEventHandler<T> delegate;

	/**
	 * Creates a handler in front of another one.
	 * @param delegate the handler that receives the calls
	 */
	protected DelegatingEventHandler(ResourceEventHandler<T> delegate) {
		this.delegate = delegate;
	}

	@Override
	public String name() {
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
	public CompletionStage<Void> completed() {
		return this.delegate.completed();
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
	public void onRelist(RelistReason reason, String message) {
		this.delegate.onRelist(reason, message);
	}

	@Override
	public void onStateChange(ReflectorState previous, ReflectorState state, String reason) {
		this.delegate.onStateChange(previous, state, reason);
	}

}
