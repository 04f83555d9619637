package dev.reflector.event;

import java.util.List;
import java.util.function.Supplier;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.CalledListener;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.PassEnd;
import dev.reflector.cache.handler.ResourceEventHandler;
import org.jspecify.annotations.Nullable;

/**
 * Has a handler fall under the policy that holds for listeners.
 *
 * @param <T> the type of the objects
 */
final class GuardedEventHandler<T> implements ResourceEventHandler<T> {

	private final ResourceEventHandler<T> handler;

	private final String name;

	private final Class<T> type;

	private final Supplier<? extends Reflector<T>> reflector;

	private final DeliveryGuard guard;

	private final Supplier<SlowListeners> slow;

	private final TimeSource time;

	GuardedEventHandler(ResourceEventHandler<T> handler, String name, Class<T> type,
			Supplier<? extends Reflector<T>> reflector, DeliveryGuard guard, Supplier<SlowListeners> slow,
			TimeSource time) {
		this.handler = handler;
		this.name = name;
		this.type = type;
		this.reflector = reflector;
		this.guard = guard;
		this.slow = slow;
		this.time = time;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public void onStart() {
		this.guard.start();
		this.handler.onStart();
	}

	@Override
	public void onStop() {
		this.guard.stop();
		this.handler.onStop();
	}

	@Override
	public void onChange(Change<T> change) {
		onChange(change, DeliveryAttempts.NONE);
	}

	@Override
	public void onChange(Change<T> change, DeliveryAttempts attempts) {
		call(() -> this.handler.onChange(change, attempts), change.type() + " " + change.key(),
				() -> ResourceEvent.of(this.reflector.get(), this.type, change), attempts);
	}

	@Override
	public void onSynced(String resourceVersion) {
		call(() -> this.handler.onSynced(resourceVersion), "the end of the initial list", null, DeliveryAttempts.NONE);
	}

	@Override
	public void onPassEnd(PassEnd reason, String message) {
		call(() -> this.handler.onPassEnd(reason, message), reason, null, DeliveryAttempts.NONE);
	}

	@Override
	public void onStateChange(ReflectorState previous, ReflectorState state, String reason) {
		call(() -> this.handler.onStateChange(previous, state, reason), state, null, DeliveryAttempts.NONE);
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
					GuardedEventHandler.this.slow.get()
						.took(GuardedEventHandler.this.name, GuardedEventHandler.this.time.nanoTime() - start, subject);
				}
			}

			@Override
			public List<String> failed() {
				return List.of(GuardedEventHandler.this.name);
			}

		}, event, attempts);
	}

}
