package dev.reflector.cache.informer;

import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps the mirror of a run durable. This class does nothing; subclasses write snapshots.
 *
 * @param <T> the type of the objects
 */
class RunDurability<T> {

	/** Whether the mirror is filled from a snapshot before the loops begin. */
	boolean isRestored() {
		return false;
	}

	/**
	 * Fills the mirror from a snapshot. Called on the thread that writes the mirror,
	 * before the loops begin.
	 * @param inStep whether the mirror contains everything that the loops of the previous
	 * run have received
	 * @throws InterruptedException when the thread is interrupted
	 */
	void restore(boolean inStep) throws InterruptedException {
	}

	/**
	 * Called when the loops begin to receive changes. If the run ends before a received
	 * change is in the mirror, the change may be lost.
	 */
	void loopsBegin() {
	}

	/** Returns the tasks that must run on their own threads while the loops run. */
	Set<Runnable> tasks() {
		return Set.of();
	}

	/**
	 * Requests a write of all states that handlers have completed so far.
	 * @return a future that completes after the write, whether it succeeds or fails, or
	 * when nothing more will be written
	 */
	CompletableFuture<Void> flush() {
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * Gives up the snapshot of a partition that another process takes over.
	 * @param partition the number of the partition
	 * @return a future that completes when another process can become the writer of the
	 * snapshot
	 */
	CompletableFuture<Void> release(int partition) {
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * Wakes the thread of this object, because there may be work, or because the run
	 * ends.
	 */
	void wake() {
	}

	/** Called when the run was not started, or could not be started. */
	void end() {
	}

}
