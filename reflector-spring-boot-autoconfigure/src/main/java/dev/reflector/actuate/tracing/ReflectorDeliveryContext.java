package dev.reflector.actuate.tracing;

import dev.reflector.cache.handler.Change;
import io.micrometer.observation.Observation;

/**
 * What a {@link ReflectorDeliveryObservationConvention} knows of an observed delivery.
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
	 * The delivered change.
	 * @return the change
	 */
	public Change<?> getChange() {
		return this.change;
	}

}
