package dev.reflector.cache.informer;

import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What keeps the mirror of a run durable: nothing, unless it has snapshots.
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
	 * @throws InterruptedException when the thread is interrupted
	 */
	void restore() throws InterruptedException {
	}

	/** The loops begin: what they receive may be lost if the run ends too early. */
	void loopsBegin() {
	}

	/** What runs on its own thread while the loops do. */
	Set<Runnable> tasks() {
		return Set.of();
	}

	/**
	 * Has what is completed by now written soon.
	 * @return completes when that has been tried, or nothing more is written
	 */
	CompletableFuture<Void> flush() {
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * Gives up the snapshot of a partition that another process takes over.
	 * @param partition the partition
	 * @return completes when another process can become its writer
	 */
	CompletableFuture<Void> release(int partition) {
		return CompletableFuture.completedFuture(null);
	}

	/** There may be something to do, or the run ends. */
	void wake() {
	}

	/** The run was not started, or could not be. */
	void end() {
	}

}
