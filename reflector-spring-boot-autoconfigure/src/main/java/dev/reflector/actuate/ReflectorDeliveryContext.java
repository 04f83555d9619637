package dev.reflector.actuate;

import dev.reflector.cache.Change;
import io.micrometer.observation.Observation;

/**
 * What is known of a delivery while it is observed.
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
