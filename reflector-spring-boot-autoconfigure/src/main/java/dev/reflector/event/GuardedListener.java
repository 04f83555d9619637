package dev.reflector.event;

import org.springframework.context.ApplicationEvent;

/**
 * A listener that the delivery of an event calls. The delivery handles the listener's
 * failures and slow calls.
 */
interface GuardedListener {

	/**
	 * Returns the name of the listener, human-readable.
	 * @return the name
	 */
	String getListenerId();

	/**
	 * Calls the listener directly.
	 * @param event the event
	 */
	void handle(ApplicationEvent event);

}
