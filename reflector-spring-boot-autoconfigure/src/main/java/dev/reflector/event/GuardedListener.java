package dev.reflector.event;

import org.springframework.context.ApplicationEvent;

/**
 * A listener that the delivery of an event calls instead of Spring. The delivery handles
 * failures and slow calls of the listener.
 */
interface GuardedListener {

	/**
	 * Returns the name of the listener, human-readable.
	 * @return the name
	 */
	String getListenerId();

	/**
	 * Calls the listener, without the delivery of the event.
	 * @param event the event
	 */
	void handle(ApplicationEvent event);

}
