package dev.reflector.sharding.membership;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.reflector.sharding.DesiredSlots;

/**
 * Receives the events of the slots of this replica. Calls about one slot come one at a
 * time and in order: {@link #onAcquired}, perhaps {@link #onRelease}, then
 * {@link #onReleased}, and so on. Calls about different slots may come at the same time,
 * on a few threads, so a call that does not return delays only the calls about its slot.
 * {@link #onDesired} and {@link #onUnowned} do not wait for calls about slots.
 *
 * @since 0.1.0
 */
public interface ShardCallbacks {

	/**
	 * Called when the slots that this replica should own have changed. The replica may
	 * mirror these slots now, but must not deliver them yet.
	 * @param slots the slots that this replica should own
	 */
	default void onDesired(DesiredSlots slots) {
	}

	/**
	 * Called when this replica has become the owner of a slot.
	 * @param slot the slot, counted from 0
	 * @param epoch the epoch, larger than those of all earlier owners of the slot
	 */
	default void onAcquired(int slot, long epoch) {
	}

	/**
	 * Called when a slot must be handed over. This replica no longer owns the slot, so no
	 * further delivery of it begins. The next replica can take the slot only after the
	 * deliveries that have begun are done.
	 * @param slot the slot, counted from 0
	 * @param epoch the epoch in which this replica owned the slot
	 * @return a stage that completes when no delivery of the slot is running. A failed
	 * stage or an exception counts as completed, too
	 */
	default CompletionStage<?> onRelease(int slot, long epoch) {
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * Called when this replica has given up a slot, or has lost it.
	 * @param slot the slot, counted from 0
	 * @param epoch the epoch in which this replica owned the slot
	 * @param reason why the slot is no longer owned
	 */
	default void onReleased(int slot, long epoch, ReleaseReason reason) {
	}

	/**
	 * Called when the set of undelivered slots has changed. A slot counts as undelivered
	 * if no replica has delivered it for longer than the configured time: it has no
	 * owner, or its owner does not deliver it. Called on every replica.
	 * @param slots all undelivered slots; empty when all slots are delivered again
	 */
	default void onUnowned(Set<Integer> slots) {
	}

	/**
	 * Returns the slots that this replica has acquired but does not deliver: the delivery
	 * has not begun, or is delayed by a call that does not return. Called often, and
	 * under a lock, so it must return at once and take no lock itself.
	 * @return the slots, and for how long each has not been delivered
	 */
	default Map<Integer, Duration> undelivered() {
		return Map.of();
	}

	/** Why a slot is no longer owned. */
	enum ReleaseReason {

		/** The slot was handed over, after {@link #onRelease}. */
		RELEASED,

		/**
		 * The Lease was not renewed in time, or was deleted or taken. Deliveries of the
		 * slot may still be running.
		 */
		LAPSED

	}

}
