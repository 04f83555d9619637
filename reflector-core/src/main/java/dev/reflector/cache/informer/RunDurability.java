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
	 * Fills the mirror. Called on the thread that writes it, before the loops begin.
	 * @param inStep whether the mirror has everything that the loops of the previous run
	 * have received
	 * @throws InterruptedException when the thread is interrupted
	 */
	void restore(boolean inStep) throws InterruptedException {
	}

	/**
	 * Notes that the loops begin. Changes that they receive may be lost if the run ends
	 * too early.
	 */
	void loopsBegin() {
	}

	/** Returns the tasks that run on their own threads while the loops run. */
	Set<Runnable> tasks() {
		return Set.of();
	}

	/**
	 * Requests that everything completed by now is written soon.
	 * @return a future that completes when writing was tried, or when nothing more is
	 * written
	 */
	CompletableFuture<Void> flush() {
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * Gives up the snapshot of a partition that another process takes over.
	 * @param partition the partition
	 * @return a future that completes when another process can become its writer
	 */
	CompletableFuture<Void> release(int partition) {
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * Wakes the thread, because there may be something to do, or because the run ends.
	 */
	void wake() {
	}

	/** Called when the run was not started, or could not be started. */
	void end() {
	}

}
