package dev.reflector.actuate.tracing;

import java.util.function.Function;

import dev.reflector.actuate.tracing.ReflectorObservationDocumentation.DeliveryEvents;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DelegatingEventHandler;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.ResourceEventHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * Observes each call of a handler, except for initial objects and resyncs.
 *
 * @param <T> the type of the objects
 */
final class ObservedEventHandler<T> extends DelegatingEventHandler<T> {

	private final Function<Change<T>, Observation> observations;

	private final ObservationRegistry registry;

	private final ObservationGuard guard;

	ObservedEventHandler(ResourceEventHandler<T> delegate, Function<Change<T>, Observation> observations,
			ObservationRegistry registry, ObservationGuard guard) {
		super(delegate);
		this.observations = observations;
		this.registry = registry;
		this.guard = guard;
	}

	@Override
	public void onChange(Change<T> change, DeliveryAttempts attempts) {
		if (change.initialList() || change.cause() == Change.Cause.RESYNC) {
			super.onChange(change, attempts);
			return;
		}
		Observation observation = this.guard.start(() -> this.observations.apply(change));
		try {
			deliver(change, new ObservedAttempts(observation, attempts), observation);
		}
		catch (Throwable ex) {
			this.guard.run(() -> observation.error(ex));
			throw ex;
		}
		finally {
			this.guard.run(observation::stop);
		}
	}

	private void deliver(Change<T> change, DeliveryAttempts attempts, Observation observation) {
		Observation.Scope outer = this.registry.getCurrentObservationScope();
		Observation.Scope scope = this.guard.open(observation);
		try {
			super.onChange(change, attempts);
		}
		finally {
			this.guard.run(scope::close);
			// a scope that could not be opened or closed must not stay the current one
			this.registry.setCurrentObservationScope(outer);
		}
	}

	/**
	 * Reports each retry as an event of the observation. The observation has an error
	 * only if the last attempt fails.
	 */
	private final class ObservedAttempts implements DeliveryAttempts {

		private final Observation observation;

		private final DeliveryAttempts attempts;

		private String failure = "";

		ObservedAttempts(Observation observation, DeliveryAttempts attempts) {
			this.observation = observation;
			this.attempts = attempts;
		}

		@Override
		public void failed(Throwable failure) {
			this.attempts.failed(failure);
			this.failure = failure.getClass().getName();
		}

		@Override
		public void again() {
			ObservedEventHandler.this.guard
				.run(() -> this.observation.event(DeliveryEvents.RETRY.format(this.failure)));
			this.attempts.again();
		}

	}

}
