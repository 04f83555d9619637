package dev.reflector.kafka;

import dev.reflector.cache.handler.DeliveryStoppedException;
import org.jspecify.annotations.Nullable;

/**
 * Stops the delivery after a record that can never be accepted. Threads of the producer
 * report such a record while the thread of the handler accepts the next change, so all
 * methods are synchronized.
 */
final class RejectedRecord {

	/**
	 * The exception to throw for a rejected record, or {@code null} if there is none or
	 * it was thrown already.
	 */
	private @Nullable DeliveryStoppedException pending;

	/**
	 * Whether a rejected record has stopped the delivery, and no later change was
	 * accepted.
	 */
	private boolean stopped;

	synchronized void set(DeliveryStoppedException rejected) {
		this.pending = rejected;
		this.stopped = true;
	}

	/**
	 * Notes that a change was accepted, so the delivery is no longer stopped. It stays
	 * stopped if there is a rejected record whose exception was not thrown yet.
	 */
	synchronized void taken() {
		this.stopped = this.pending != null;
	}

	/**
	 * Throws the exception for a rejected record, if there is one. This stops the
	 * delivery.
	 */
	synchronized void throwPending() {
		DeliveryStoppedException rejected = this.pending;
		if (rejected != null) {
			this.pending = null;
			throw rejected;
		}
	}

	synchronized @Nullable DeliveryStoppedException pending() {
		return this.pending;
	}

	synchronized boolean isStopped() {
		return this.stopped;
	}

}
