package dev.reflector.actuate.tracing;

import dev.reflector.cache.handler.Change;
import io.micrometer.observation.Observation;

/**
 * Context of an observed delivery, for a {@link ReflectorDeliveryObservationConvention}.
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
	 * Returns the name of the reflector that delivers.
	 * @return the name
	 */
	public String getReflector() {
		return this.reflector;
	}

	/**
	 * Returns the delivered change.
	 * @return the change
	 */
	public Change<?> getChange() {
		return this.change;
	}

}
