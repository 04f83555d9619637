package dev.reflector.sharding.membership;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.reflector.sharding.DesiredSlots;

/**
 * Hears of the slots of this replica. Called on one thread at a time, in the order of
 * what has happened. For each slot: acquired, then perhaps asked to release it, then
 * released, and so on. A slow callback delays only later callbacks, and releases.
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
	 * A slot is to be handed over. This replica no longer owns it, so no delivery of it
	 * begins any more; but it is given up only when those that have begun are done.
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
	 * Other slots than before have had no owner, in any replica, for longer than the
	 * configured bound. Every replica that reads the Leases hears of it.
	 * @param slots all slots without an owner; empty when each has one again
	 */
	default void onUnowned(Set<Integer> slots) {
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
