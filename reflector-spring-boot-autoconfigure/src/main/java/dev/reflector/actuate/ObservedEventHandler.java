package dev.reflector.actuate;

import java.util.function.Function;

import dev.reflector.cache.Change;
import dev.reflector.cache.ResourceEventHandler;
import io.micrometer.observation.Observation;

/**
 * Observes a handler while it handles a change that is news.
 *
 * @param <T> the type of the objects
 */
final class ObservedEventHandler<T> extends PassingEventHandler<T> {

	private final Function<Change<T>, Observation> observations;

	ObservedEventHandler(ResourceEventHandler<T> delegate, Function<Change<T>, Observation> observations) {
		super(delegate);
		this.observations = observations;
	}

	@Override
	public void onChange(Change<T> change) {
		if (change.initialList() || change.cause() == Change.Cause.RESYNC) {
			super.onChange(change);
			return;
		}
		this.observations.apply(change).observe(() -> super.onChange(change));
	}

}
