package dev.reflector.event;

import org.springframework.context.ApplicationEvent;

/**
 * A listener that is called by the delivery of an event, which knows what to do when it
 * fails or is slow.
 */
interface GuardedListener {

	/** Its name, for people. */
	String getListenerId();

	/** Has the listener itself deal with an event. */
	void handle(ApplicationEvent event);

	/** Spring has an event for the listener. */
	default void deliver(ApplicationEvent event) {
		Delivery delivery = (event instanceof DeliveredEvent delivered) ? delivered.delivery() : null;
		// on another thread, nobody waits for the outcome any more
		if (delivery != null && delivery.isOnThisThread()) {
			delivery.call(this);
		}
		else {
			handle(event);
		}
	}

}
