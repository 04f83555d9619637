package dev.reflector.cache.internal.queue;

import java.util.HashSet;
import java.util.Set;

/**
 * Tells when the first complete state has left a queue, that of each namespace when
 * several are followed on their own (client-go: {@code synctrack}; rules D-18, D-25,
 * D-35, D-36, D-48). Guarded by the queue.
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
	 * Something of a scope enters the queue.
	 * @param scope the scope
	 * @return whether it is the first of that scope
	 */
	boolean populate(String scope) {
		return this.populated.add(scope);
	}

	/**
	 * The first state of a scope has entered the queue. Of several scopes, what waits of
	 * the others is part of it.
	 * @param waiting how many deltas or keys wait
	 */
	void expect(int waiting) {
		this.population = waiting;
	}

	/** How many are left until the first complete state has left the queue. */
	int population() {
		return this.population;
	}

	void left(int count) {
		this.population = Math.max(0, this.population - count);
	}

	/** Never goes back to {@code false}. */
	boolean hasSynced() {
		this.synced = this.synced || (this.populated.size() >= this.scopes && this.population == 0);
		return this.synced;
	}

}
