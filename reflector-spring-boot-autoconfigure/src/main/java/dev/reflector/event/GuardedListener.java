package dev.reflector.event;

import org.springframework.context.ApplicationEvent;

/**
 * A listener that Spring does not call directly: the delivery of an event calls the
 * listener, and handles its failures and slow calls.
 */
interface GuardedListener {

	/**
	 * Returns the name of the listener, human-readable.
	 * @return the name
	 */
	String getListenerId();

	/**
	 * Calls the listener directly. Does not handle its failures and slow calls.
	 * @param event the event
	 */
	void handle(ApplicationEvent event);

}
