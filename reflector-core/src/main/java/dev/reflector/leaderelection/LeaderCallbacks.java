package dev.reflector.leaderelection;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reacts to an election. Called on one thread at a time, in the order of the events. A
 * slow callback delays only later callbacks, and the release of the lock.
 *
 * @since 0.1.0
 */
public interface LeaderCallbacks {

	/**
	 * Called when this replica has become the leader.
	 * @param epoch number of the term, larger than those of all earlier terms of this
	 * lock
	 */
	default void onStartedLeading(long epoch) {
	}

	/**
	 * Called when this replica is no longer the leader. End everything here that only a
	 * leader may do. An elector that stops keeps the lock until the returned stage has
	 * completed, so that no other replica leads earlier.
	 * @param epoch number of the term that has ended
	 * @return a stage that completes when all work of the term has ended. Later callbacks
	 * wait for it
	 */
	default CompletionStage<?> onStoppedLeading(long epoch) {
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * Called when another holder of the lock was seen, or when this replica has become
	 * the holder.
	 * @param identity identity of the holder
	 */
	default void onNewLeader(String identity) {
	}

}
