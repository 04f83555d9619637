package dev.reflector.autoconfigure;

import java.util.function.Supplier;

import dev.reflector.ReflectorState;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.PassEnd;
import dev.reflector.cache.handler.ResourceEventHandler;

import org.springframework.util.function.SingletonSupplier;

/**
 * A handler that is looked up when there is something to handle, so that it may itself
 * have the reflector or its lister injected.
 *
 * @param <T> the type of the objects
 */
final class LateResourceEventHandler<T> implements ResourceEventHandler<T> {

	private final Supplier<ResourceEventHandler<T>> handler;

	LateResourceEventHandler(Supplier<ResourceEventHandler<T>> handler) {
		this.handler = SingletonSupplier.of(handler);
	}

	@Override
	public String name() {
		return this.handler.get().name();
	}

	@Override
	public void onChange(Change<T> change) {
		this.handler.get().onChange(change);
	}

	@Override
	public void onChange(Change<T> change, DeliveryAttempts attempts) {
		this.handler.get().onChange(change, attempts);
	}

	@Override
	public void onStart() {
		this.handler.get().onStart();
	}

	@Override
	public void onStop() {
		this.handler.get().onStop();
	}

	@Override
	public void onSynced(String resourceVersion) {
		this.handler.get().onSynced(resourceVersion);
	}

	@Override
	public void onPassEnd(PassEnd reason, String message) {
		this.handler.get().onPassEnd(reason, message);
	}

	@Override
	public void onStateChange(ReflectorState previous, ReflectorState state, String reason) {
		this.handler.get().onStateChange(previous, state, reason);
	}

}
