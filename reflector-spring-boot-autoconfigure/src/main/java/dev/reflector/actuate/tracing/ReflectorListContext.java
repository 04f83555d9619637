package dev.reflector.actuate.tracing;

import io.micrometer.observation.Observation;

/**
 * What a {@link ReflectorListObservationConvention} knows of an observed list.
 *
 * @since 0.1.0
 */
public final class ReflectorListContext extends Observation.Context {

	private final String reflector;

	private final boolean streamed;

	ReflectorListContext(String reflector, boolean streamed) {
		this.reflector = reflector;
		this.streamed = streamed;
	}

	/**
	 * The reflector that lists.
	 * @return its name
	 */
	public String getReflector() {
		return this.reflector;
	}

	/**
	 * Whether a watch streams the full state, or else one page of it is listed.
	 * @return whether it is streamed
	 */
	public boolean isStreamed() {
		return this.streamed;
	}

}
