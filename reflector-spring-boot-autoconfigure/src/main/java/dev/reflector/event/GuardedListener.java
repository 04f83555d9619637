package dev.reflector.event;

import org.springframework.context.ApplicationEvent;

/**
 * A listener that the delivery of an event calls, which deals with its failures and with
 * slow calls.
 */
interface GuardedListener {

	/**
	 * Name of the listener, human-readable.
	 * @return the name
	 */
	String getListenerId();

	/**
	 * Calls the listener itself.
	 * @param event the event
	 */
	void handle(ApplicationEvent event);

}
