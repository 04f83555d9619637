package dev.reflector.event;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.reflector.ReflectorState;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.CalledListener;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.internal.call.ListenerCall;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * Calls a handler under the policy for failing listeners. The handler is looked up at the
 * first call, so that it may depend on the reflector or its lister.
 *
 * @param <T> the type of the objects
 */
final class GuardedEventHandler<T> implements ResourceEventHandler<T> {

	private final Supplier<ResourceEventHandler<T>> handler;

	private final String name;

	private final Function<Change<T>, ResourceEvent<T>> events;

	private final DeliveryGuard guard;

	private final TimeSource time;

	GuardedEventHandler(Supplier<ResourceEventHandler<T>> handler, String name,
			Function<Change<T>, ResourceEvent<T>> events, DeliveryGuard guard, TimeSource time) {
		this.handler = SingletonSupplier.of(handler);
		this.name = name;
		this.events = events;
		this.guard = guard;
		this.time = time;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public void onStart() {
		this.guard.start();
		this.handler.get().onStart();
	}

	@Override
	public void onStop() {
		this.guard.stop();
		this.handler.get().onStop();
	}

	@Override
	public void onChange(Change<T> change) {
		onChange(change, DeliveryAttempts.NONE);
	}

	@Override
	public void onChange(Change<T> change, DeliveryAttempts attempts) {
		call(() -> this.handler.get().onChange(change, attempts), change.type() + " " + change.key(),
				() -> this.events.apply(change), attempts);
	}

	@Override
	public CompletionStage<Void> completed() {
		return this.handler.get().completed();
	}

	@Override
	public void onSynced(String resourceVersion) {
		call(() -> this.handler.get().onSynced(resourceVersion), "the end of the initial list", null,
				DeliveryAttempts.NONE);
	}

	@Override
	public void onRelist(RelistReason reason, String message) {
		call(() -> this.handler.get().onRelist(reason, message), reason, null, DeliveryAttempts.NONE);
	}

	@Override
	public void onStateChange(ReflectorState previous, ReflectorState state, String reason) {
		call(() -> this.handler.get().onStateChange(previous, state, reason), state, null, DeliveryAttempts.NONE);
	}

	private void call(Runnable call, Object subject, @Nullable Supplier<ResourceEvent<T>> event,
			DeliveryAttempts attempts) {
		this.guard.deliver(new DeliveryGuard.Attempt() {

			@Override
			public void run() {
				CalledListener.enter(GuardedEventHandler.this.name);
				long start = GuardedEventHandler.this.time.nanoTime();
				try {
					call.run();
				}
				finally {
					CalledListener.leave();
					ListenerCall.took(GuardedEventHandler.this.name, GuardedEventHandler.this.time.nanoTime() - start,
							subject);
				}
			}

			@Override
			public List<String> failed() {
				return List.of(GuardedEventHandler.this.name);
			}

		}, event, attempts);
	}

}
