package dev.reflector.actuate;

import io.micrometer.observation.Observation;

/**
 * What is known of a list while it is observed.
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
