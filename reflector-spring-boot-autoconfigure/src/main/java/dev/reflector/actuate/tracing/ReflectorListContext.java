package dev.reflector.actuate.tracing;

import io.micrometer.observation.Observation;

/**
 * Context of an observed list, for a {@link ReflectorListObservationConvention}.
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
	 * Returns the name of the reflector that lists.
	 * @return the name
	 */
	public String getReflector() {
		return this.reflector;
	}

	/**
	 * Whether the observed request is a watch that streams the full state, or a request
	 * for one page of a list.
	 * @return {@code true} for a streamed list, {@code false} for a page
	 */
	public boolean isStreamed() {
		return this.streamed;
	}

}
