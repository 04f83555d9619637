package dev.reflector.cache.internal.queue;

import java.util.HashSet;
import java.util.Set;

/**
 * Tracks whether the first complete state of each namespace has left a queue (client-go:
 * {@code synctrack}; rules D-18, D-25, D-35, D-36, D-48). Guarded by the lock of the
 * queue.
 */
final class SyncTracker {

	private final int scopes;

	private final Set<String> populated = new HashSet<>();

	private int population;

	private boolean synced;

	SyncTracker(int scopes) {
		this.scopes = scopes;
	}

	/**
	 * Notes that a delta of a namespace enters the queue.
	 * @param scope the namespace, or the empty string if all namespaces are followed
	 * together
	 * @return whether this is the first delta of the namespace
	 */
	boolean populate(String scope) {
		return this.populated.add(scope);
	}

	/**
	 * Notes that the first complete state of a namespace has entered the queue. The state
	 * counts as popped when all deltas or keys that are queued now, including those of
	 * other namespaces, have left the queue.
	 * @param waiting how many deltas or keys are queued
	 */
	void expect(int waiting) {
		this.population = waiting;
	}

	/**
	 * Returns how many deltas or keys must still leave the queue until the first complete
	 * state has left it.
	 */
	int population() {
		return this.population;
	}

	void left(int count) {
		this.population = Math.max(0, this.population - count);
	}

	/**
	 * Whether the first complete state of each namespace has left the queue. Never goes
	 * back to {@code false}.
	 */
	boolean hasSynced() {
		this.synced = this.synced || (this.populated.size() >= this.scopes && this.population == 0);
		return this.synced;
	}

}
