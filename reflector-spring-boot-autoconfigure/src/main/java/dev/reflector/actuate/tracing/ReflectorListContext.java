package dev.reflector.actuate.tracing;

import io.micrometer.observation.Observation;

/**
 * Tells an {@link ReflectorListObservationConvention observation convention} about the
 * list that is observed.
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
	 * Whether the full state is streamed by a watch, rather than one page of it listed.
	 * @return whether it is streamed
	 */
	public boolean isStreamed() {
		return this.streamed;
	}

}
