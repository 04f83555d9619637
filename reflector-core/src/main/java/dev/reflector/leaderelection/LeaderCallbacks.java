package dev.reflector.leaderelection;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reacts to an election. Called on one thread at a time, in the order of what has
 * happened. A slow callback delays only later callbacks, and the release of the lock.
 *
 * @since 0.1.0
 */
public interface LeaderCallbacks {

	/**
	 * This replica leads.
	 * @param epoch number of the term, larger than those of all earlier terms of this
	 * lock
	 */
	default void onStartedLeading(long epoch) {
	}

	/**
	 * This replica no longer leads. An elector that stops keeps the lock until what is
	 * returned has completed, so that no other replica leads before: end here what only a
	 * leader may do.
	 * @param epoch number of the term that has ended
	 * @return completes when nothing of the term is in progress. Later callbacks wait for
	 * it
	 */
	default CompletionStage<?> onStoppedLeading(long epoch) {
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * Another holder of the lock was seen, or this replica has become the holder.
	 * @param identity identity of the holder
	 */
	default void onNewLeader(String identity) {
	}

}
