package dev.reflector.event;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEvent;

/**
 * An event that knows of its own delivery while that is in progress.
 */
abstract class DeliveredEvent extends ApplicationEvent {

	private transient volatile @Nullable Delivery delivery;

	DeliveredEvent(Object source) {
		super(source);
	}

	final @Nullable Delivery delivery() {
		return this.delivery;
	}

	final void delivery(@Nullable Delivery delivery) {
		this.delivery = delivery;
	}

}
