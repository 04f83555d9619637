package dev.reflector.cache.internal.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Finds the versions up to which everything has left a queue, in whatever order the queue
 * delivers. Versions are noted as they enter. A mark is set behind all that waits; when
 * the mark is passed, the versions noted before it are reached. Guarded by the lock of
 * the queue.
 */
public final class VersionTracker {

	/** The largest number of versions without an order that are kept. */
	static final int REMEMBERED = 1000;

	/**
	 * Initial capacity: most reflectors have one scope, and each mark needs a new map.
	 */
	private static final int FEW = 2;

	/**
	 * The newest version of each scope, which shows whether versions of its events count.
	 */
	private final Map<String, String> latest = new HashMap<>();

	private Map<String, Deque<String>> noted = new HashMap<>(FEW);

	private @Nullable Map<String, Deque<String>> marked;

	/** How many deltas or keys must still leave the queue before the mark. */
	private int remaining;

	private @Nullable Map<String, Deque<String>> reached;

	/** Notes the version of a complete state, of a bookmark, or of a certain event. */
	public void note(String scope, String version) {
		if (!version.isEmpty()) {
			this.latest.put(scope, version);
			append(this.noted, scope, version);
		}
	}

	/**
	 * Notes the version of an event, unless the event may be part of an initial state
	 * that comes in no order.
	 */
	public void noteIfOrdered(String scope, String version) {
		String latest = this.latest.getOrDefault(scope, "0");
		if (!latest.equals("0")) {
			note(scope, version);
		}
	}

	private static void append(Map<String, Deque<String>> trail, String scope, String version) {
		Deque<String> versions = trail.computeIfAbsent(scope, (key) -> new ArrayDeque<>(1));
		// of comparable versions the last one is enough, of others each is kept (W-69)
		if (!versions.isEmpty() && ResourceVersions.isWellFormed(versions.getLast())) {
			versions.removeLast();
		}
		versions.add(version);
		if (versions.size() > REMEMBERED) {
			versions.removeFirst();
		}
	}

	/**
	 * Sets a mark behind everything that is queued, unless there is a mark.
	 * @param waiting how many deltas or keys must leave before the mark
	 * @return whether nothing waits, so that versions are reached at once
	 */
	public boolean mark(int waiting) {
		if (this.marked != null || this.noted.isEmpty()) {
			return false;
		}
		this.marked = this.noted;
		this.noted = new HashMap<>(FEW);
		this.remaining = waiting;
		return passed();
	}

	private boolean passed() {
		if (this.marked == null || this.remaining > 0) {
			return false;
		}
		Map<String, Deque<String>> before = this.reached;
		if (before == null) {
			this.reached = this.marked;
		}
		else {
			this.marked.forEach((scope, versions) -> versions.forEach((version) -> append(before, scope, version)));
		}
		this.marked = null;
		return true;
	}

	/**
	 * Notes that deltas or keys have left the queue.
	 * @param count how many have left
	 * @param waiting how many still wait
	 */
	public void left(int count, IntSupplier waiting) {
		this.remaining -= count;
		if (passed()) {
			mark(waiting.getAsInt());
		}
	}

	/** Returns the versions reached since the last call, oldest first, by scope. */
	@Nullable public Map<String, Deque<String>> take() {
		Map<String, Deque<String>> reached = this.reached;
		this.reached = null;
		return reached;
	}

}
