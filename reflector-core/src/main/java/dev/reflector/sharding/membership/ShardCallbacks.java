package dev.reflector.sharding.membership;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.reflector.sharding.DesiredSlots;

/**
 * Receives what happens to the slots of this replica. For each slot: acquired, then
 * perhaps asked to release it, then released, and so on, one call at a time. Calls about
 * different slots come at the same time, on a few threads: one that does not return
 * delays what is about its slot alone. {@link #onDesired} and {@link #onUnowned} wait for
 * none of them.
 *
 * @since 0.1.0
 */
public interface ShardCallbacks {

	/**
	 * The slots that this replica should own have changed. It may mirror them now, but
	 * not deliver them.
	 * @param slots the slots
	 */
	default void onDesired(DesiredSlots slots) {
	}

	/**
	 * This replica owns a slot.
	 * @param slot the slot, counted from 0
	 * @param epoch the epoch, larger than those of all earlier owners of the slot
	 */
	default void onAcquired(int slot, long epoch) {
	}

	/**
	 * A slot must be handed over. This replica no longer owns it, so no further delivery
	 * of it begins; but it is given up only when those that have begun are done.
	 * @param slot the slot, counted from 0
	 * @param epoch the epoch in which it was owned
	 * @return completes when no delivery of the slot is running. Completing with a
	 * failure, or throwing, counts as that, too
	 */
	default CompletionStage<?> onRelease(int slot, long epoch) {
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * This replica has given up a slot, or has lost it.
	 * @param slot the slot, counted from 0
	 * @param epoch the epoch in which it was owned
	 * @param reason why
	 */
	default void onReleased(int slot, long epoch, ReleaseReason reason) {
	}

	/**
	 * Other slots than before have been delivered by no replica for longer than the
	 * configured bound: they have no owner, or their owner does not deliver them. Every
	 * replica is called.
	 * @param slots all slots that are not delivered; empty when each is again
	 */
	default void onUnowned(Set<Integer> slots) {
	}

	/**
	 * The slots that this replica has acquired and whose objects it does not deliver:
	 * they have not begun, or a call that does not return holds them up. Asked often, and
	 * under a lock: must return at once, and take no lock itself.
	 * @return the slots, and for how long
	 */
	default Map<Integer, Duration> undelivered() {
		return Map.of();
	}

	/** Why a slot is no longer owned. */
	enum ReleaseReason {

		/** It was handed over, after {@link #onRelease}. */
		RELEASED,

		/**
		 * The Lease was not renewed in time, or was deleted or taken. Deliveries may be
		 * running.
		 */
		LAPSED

	}

}
