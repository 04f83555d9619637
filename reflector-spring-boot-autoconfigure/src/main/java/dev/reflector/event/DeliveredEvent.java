package dev.reflector.event;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEvent;

/**
 * An event of a reflector. While the reflector delivers the event, the delivery calls the
 * listeners, catches their exceptions and measures how long they take.
 */
abstract class DeliveredEvent extends ApplicationEvent {

	private transient volatile @Nullable Consumer<GuardedListener> delivery;

	DeliveredEvent(Object source) {
		super(source);
	}

	/**
	 * Sets the delivery that is in progress.
	 * @param delivery calls a listener; {@code null} when the delivery is over
	 */
	final void delivery(@Nullable Consumer<GuardedListener> delivery) {
		this.delivery = delivery;
	}

	/**
	 * Passes an event to a listener, through the delivery of the event if one is in
	 * progress.
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
