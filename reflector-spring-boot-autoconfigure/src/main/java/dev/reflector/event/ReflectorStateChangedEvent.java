package dev.reflector.event;

import dev.reflector.PrintableText;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;

/**
 * Published when the state of a reflector has changed. While listeners are slow, some
 * states may be skipped.
 *
 * @since 0.1.0
 */
public final class ReflectorStateChangedEvent extends DeliveredEvent {

	private final ReflectorState previous;

	private final ReflectorState state;

	private final String reason;

	/**
	 * Creates the event.
	 * @param reflector the reflector
	 * @param previous the state before
	 * @param state the state after
	 * @param reason why the state changed, human-readable
	 */
	public ReflectorStateChangedEvent(Reflector<?> reflector, ReflectorState previous, ReflectorState state,
			String reason) {
		super(reflector);
		this.previous = previous;
		this.state = state;
		this.reason = reason;
	}

	/**
	 * Returns the reflector.
	 * @return the reflector
	 */
	public Reflector<?> reflector() {
		return (Reflector<?>) getSource();
	}

	/**
	 * Returns the name of the reflector.
	 * @return the name
	 */
	public String reflectorName() {
		return reflector().name();
	}

	/**
	 * Returns the state before the change.
	 * @return the state
	 */
	public ReflectorState previous() {
		return this.previous;
	}

	/**
	 * Returns the state after the change.
	 * @return the state
	 */
	public ReflectorState state() {
		return this.state;
	}

	/**
	 * Returns why the state changed, human-readable.
	 * @return the reason
	 */
	public String reason() {
		return this.reason;
	}

	@Override
	public String toString() {
		return getClass().getSimpleName() + "[" + reflectorName() + " " + this.previous + " -> " + this.state + ": "
				+ PrintableText.of(this.reason) + "]";
	}

}
