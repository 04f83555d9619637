package dev.reflector.actuate;

import java.util.function.Function;

import dev.reflector.ReflectorState;
import dev.reflector.cache.Change;
import dev.reflector.cache.PassEnd;
import dev.reflector.cache.ResourceEventHandler;

import io.micrometer.observation.Observation;

/**
 * Observes a handler while it handles a change that is news.
 *
 * @param <T> the type of the objects
 */
final class ObservedEventHandler<T> implements ResourceEventHandler<T> {

	private final ResourceEventHandler<T> delegate;

	private final Function<Change<T>, Observation> observations;

	ObservedEventHandler(ResourceEventHandler<T> delegate, Function<Change<T>, Observation> observations) {
		this.delegate = delegate;
		this.observations = observations;
	}

	@Override
	public void onChange(Change<T> change) {
		if (change.initialList() || change.cause() == Change.Cause.RESYNC) {
			this.delegate.onChange(change);
			return;
		}
		this.observations.apply(change).observe(() -> this.delegate.onChange(change));
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
