package dev.reflector.event;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEvent;

/**
 * Base class of the events of this library. While an event is delivered, a delivery
 * object of this library calls the listeners, catches their exceptions and measures how
 * long they take.
 */
abstract class DeliveredEvent extends ApplicationEvent {

	private transient volatile @Nullable Consumer<GuardedListener> delivery;

	DeliveredEvent(Object source) {
		super(source);
	}

	/**
	 * Sets the delivery of this event, or removes it.
	 * @param delivery calls a listener; {@code null} when the delivery is over
	 */
	final void delivery(@Nullable Consumer<GuardedListener> delivery) {
		this.delivery = delivery;
	}

	/**
	 * Passes an event to a listener. If a delivery is set, the delivery calls the
	 * listener; otherwise, this method calls it.
	 * @param event the event
	 * @param listener the listener
	 */
	static void pass(ApplicationEvent event, GuardedListener listener) {
		Consumer<GuardedListener> delivery = (event instanceof DeliveredEvent delivered) ? delivered.delivery : null;
		if (delivery != null) {
			delivery.accept(listener);
		}
		else {
			listener.handle(event);
		}
	}

}
