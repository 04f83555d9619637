package dev.reflector.actuate.tracing;

import dev.reflector.cache.handler.Change;
import io.micrometer.observation.Observation;

/**
 * Tells an {@link ReflectorDeliveryObservationConvention observation convention} about
 * the delivery that is observed.
 *
 * @since 0.1.0
 */
public final class ReflectorDeliveryContext extends Observation.Context {

	private final String reflector;

	private final Change<?> change;

	ReflectorDeliveryContext(String reflector, Change<?> change) {
		this.reflector = reflector;
		this.change = change;
	}

	/**
	 * The reflector that delivers.
	 * @return its name
	 */
	public String getReflector() {
		return this.reflector;
	}

	/**
	 * What is delivered.
	 * @return the change
	 */
	public Change<?> getChange() {
		return this.change;
	}

}
