package dev.reflector.event;

import dev.reflector.PrintableText;
import dev.reflector.Reflector;
import dev.reflector.cache.handler.RelistReason;

/**
 * Published when a reflector must get the full state again. The event says why. While
 * listeners are slow, some of these events may be skipped.
 *
 * @since 0.1.0
 */
public final class ReflectorRelistEvent extends DeliveredEvent {

	private final RelistReason reason;

	private final String message;

	/**
	 * Creates the event.
	 * @param reflector the reflector
	 * @param reason why the full state is needed again
	 * @param message description of what has happened, human-readable
	 */
	public ReflectorRelistEvent(Reflector<?> reflector, RelistReason reason, String message) {
		super(reflector);
		this.reason = reason;
		this.message = message;
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
	 * Returns why the full state is needed again.
	 * @return the reason
	 */
	public RelistReason reason() {
		return this.reason;
	}

	/**
	 * Returns a description of what has happened, human-readable.
	 * @return the message
	 */
	public String message() {
		return this.message;
	}

	@Override
	public String toString() {
		return getClass().getSimpleName() + "[" + reflectorName() + " " + this.reason + ": "
				+ PrintableText.of(this.message) + "]";
	}

}
