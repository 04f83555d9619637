package dev.reflector.event;

import dev.reflector.PrintableText;
import dev.reflector.Reflector;

/**
 * Published once after each start of a reflector, when the first complete state of the
 * collection is in the mirror and all events of that state have been delivered.
 *
 * @since 0.1.0
 */
public final class ReflectorSyncedEvent extends DeliveredEvent {

	private final String resourceVersion;

	/**
	 * Creates the event.
	 * @param reflector the reflector
	 * @param resourceVersion version of the first list
	 */
	public ReflectorSyncedEvent(Reflector<?> reflector, String resourceVersion) {
		super(reflector);
		this.resourceVersion = resourceVersion;
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
	 * Returns the version of the first list.
	 * @return the version
	 */
	public String resourceVersion() {
		return this.resourceVersion;
	}

	@Override
	public String toString() {
		return getClass().getSimpleName() + "[" + reflectorName() + " @ " + PrintableText.of(this.resourceVersion)
				+ "]";
	}

}
