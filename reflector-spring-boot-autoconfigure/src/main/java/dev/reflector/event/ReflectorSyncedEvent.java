package dev.reflector.event;

import dev.reflector.Reflector;

/**
 * The first complete state of a collection is in the mirror, and all its events have been
 * published. Comes once after each start of the reflector.
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
	 * The reflector.
	 * @return the reflector
	 */
	public Reflector<?> reflector() {
		return (Reflector<?>) getSource();
	}

	/**
	 * Name of the reflector.
	 * @return the name
	 */
	public String reflectorName() {
		return reflector().name();
	}

	/**
	 * Version of the first list.
	 * @return the version
	 */
	public String resourceVersion() {
		return this.resourceVersion;
	}

	@Override
	public String toString() {
		return getClass().getSimpleName() + "[" + reflectorName() + " @ " + this.resourceVersion + "]";
	}

}
