package dev.reflector.kafka;

import dev.reflector.cache.handler.DeliveryStoppedException;
import org.jspecify.annotations.Nullable;

/**
 * A record that can never be accepted, and what it does to the delivery. Threads of the
 * producer report one while the thread of the listener takes the next change, so each
 * method is one step.
 */
final class RejectedRecord {

	/** Until the delivery has stopped for it. */
	private @Nullable DeliveryStoppedException pending;

	/** Whether one has stopped the delivery, and no later change has come. */
	private boolean stopped;

	synchronized void set(DeliveryStoppedException rejected) {
		this.pending = rejected;
		this.stopped = true;
	}

	/** A change was taken, which starts the delivery over unless a record is refused. */
	synchronized void taken() {
		this.stopped = this.pending != null;
	}

	/** Stops the delivery for what was refused. The engine knows it from then on. */
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
