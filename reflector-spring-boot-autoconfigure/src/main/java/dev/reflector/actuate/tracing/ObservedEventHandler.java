package dev.reflector.actuate.tracing;

import java.util.function.Function;

import dev.reflector.actuate.tracing.ReflectorObservationDocumentation.DeliveryEvents;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DelegatingEventHandler;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.ResourceEventHandler;
import io.micrometer.observation.Observation;

/**
 * Observes each call of a handler, except for initial objects and resyncs.
 *
 * @param <T> the type of the objects
 */
final class ObservedEventHandler<T> extends DelegatingEventHandler<T> {

	private final Function<Change<T>, Observation> observations;

	ObservedEventHandler(ResourceEventHandler<T> delegate, Function<Change<T>, Observation> observations) {
		super(delegate);
		this.observations = observations;
	}

	@Override
	public void onChange(Change<T> change, DeliveryAttempts attempts) {
		if (change.initialList() || change.cause() == Change.Cause.RESYNC) {
			super.onChange(change, attempts);
			return;
		}
		Observation observation = this.observations.apply(change);
		observation.observe(new ObservedDelivery(observation, change, attempts));
	}

	/**
	 * A delivery that reports each retry as an event of the observation. The observation
	 * has an error only if the last attempt fails.
	 */
	private final class ObservedDelivery implements Runnable, DeliveryAttempts {

		private final Observation observation;

		private final Change<T> change;

		private final DeliveryAttempts attempts;

		private String failure = "";

		ObservedDelivery(Observation observation, Change<T> change, DeliveryAttempts attempts) {
			this.observation = observation;
			this.change = change;
			this.attempts = attempts;
		}

		@Override
		public void run() {
			ObservedEventHandler.super.onChange(this.change, this);
		}

		@Override
		public void failed(Throwable failure) {
			this.attempts.failed(failure);
			this.failure = failure.getClass().getName();
		}

		@Override
		public void again() {
			this.observation.event(DeliveryEvents.RETRY.format(this.failure));
			this.attempts.again();
		}

	}

}
