package dev.reflector.cache.internal.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Finds the versions up to which all deltas have left a queue. Does not depend on the
 * order in which the queue delivers. Versions are noted when their deltas enter the
 * queue. A mark is set behind all queued deltas. When all these deltas have left the
 * queue, the versions noted before the mark are reached. Guarded by the lock of the
 * queue.
 */
public final class VersionTracker {

	/** The largest number of stored versions that cannot be compared. */
	static final int REMEMBERED = 1000;

	/**
	 * The initial capacity of maps. The capacity is small, because most reflectors follow
	 * all namespaces together, and each mark needs a new map.
	 */
	private static final int FEW = 2;

	/**
	 * The newest version of each namespace that is followed separately. While a namespace
	 * has no version, or {@code "0"}, its events may still belong to an initial state.
	 */
	private final Map<String, String> latest = new HashMap<>();

	private Map<String, Deque<String>> noted = new HashMap<>(FEW);

	private @Nullable Map<String, Deque<String>> marked;

	/**
	 * The number of deltas or keys that must still leave the queue before the mark is
	 * reached.
	 */
	private int remaining;

	private @Nullable Map<String, Deque<String>> reached;

	/**
	 * Notes the version of a complete state, of a bookmark, or of an event that cannot
	 * belong to an initial state.
	 */
	public void note(String scope, String version) {
		if (!version.isEmpty()) {
			this.latest.put(scope, version);
			append(this.noted, scope, version);
		}
	}

	/**
	 * Notes the version of an event, unless the event may belong to an initial state,
	 * whose events have no order.
	 */
	public void noteIfOrdered(String scope, String version) {
		String latest = this.latest.getOrDefault(scope, "0");
		if (!latest.equals("0")) {
			note(scope, version);
		}
	}

	private static void append(Map<String, Deque<String>> trail, String scope, String version) {
		Deque<String> versions = trail.computeIfAbsent(scope, (key) -> new ArrayDeque<>(1));
		// keeps only the last of several comparable versions, but all versions that
		// cannot be compared (W-69)
		if (!versions.isEmpty() && ResourceVersions.isWellFormed(versions.getLast())) {
			versions.removeLast();
		}
		versions.add(version);
		if (versions.size() > REMEMBERED) {
			versions.removeFirst();
		}
	}

	/**
	 * Sets a mark behind all queued deltas, unless there is already a mark.
	 * @param waiting the number of queued deltas or keys
	 * @return whether the queue is empty, so that the mark is reached at once
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
	 * @param count the number of deltas or keys that have left
	 * @param waiting returns the number of deltas or keys that are still queued
	 */
	public void left(int count, IntSupplier waiting) {
		this.remaining -= count;
		if (passed()) {
			mark(waiting.getAsInt());
		}
	}

	/**
	 * Returns the versions that were reached since the last call, by namespace, oldest
	 * first; or {@code null} if there are none.
	 */
	@Nullable public Map<String, Deque<String>> take() {
		Map<String, Deque<String>> reached = this.reached;
		this.reached = null;
		return reached;
	}

}
