package dev.reflector.cache.internal.store;

import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The versions that a mirror has reached in each namespace that is followed separately,
 * and the callers that wait for a version (E-28). A version may also decrease, if the
 * server's version does. {@link #hasReached} takes no lock.
 */
public final class MirrorProgress {

	private static final String ALL = "";

	/**
	 * The namespaces that are followed separately. If all namespaces are followed
	 * together, the only element is the empty string.
	 */
	private final Set<String> scopes;

	private volatile Map<String, Position> positions = Map.of();

	/** The callbacks that wait for a version. Guarded by the monitor of this set. */
	private final Set<Waiter> waiters = new LinkedHashSet<>();

	public MirrorProgress(List<String> namespaces) {
		this.scopes = (namespaces.size() > 1) ? Set.copyOf(namespaces) : Set.of(ALL);
	}

	/**
	 * Whether a version has been reached in a namespace, or in all namespaces if the name
	 * is empty.
	 */
	public boolean hasReached(String namespace, String version) {
		return hasReached(asked(namespace, version), version, this.positions);
	}

	/**
	 * Returns the version that the mirror has reached in a namespace that is followed
	 * separately, empty at first.
	 */
	String reached(String scope) {
		return this.positions.getOrDefault(scope, Position.NONE).version();
	}

	/** Returns the version that the mirror has reached in a namespace. */
	String reachedAt(String namespace) {
		return reached(this.scopes.contains(ALL) ? ALL : namespace);
	}

	private Set<String> asked(String namespace, String version) {
		if (version.isEmpty()) {
			throw new IllegalArgumentException("the resource version must not be empty");
		}
		if (namespace.isEmpty() || this.scopes.contains(ALL)) {
			return this.scopes;
		}
		if (!this.scopes.contains(namespace)) {
			throw new IllegalArgumentException("the namespace '" + namespace + "' is not mirrored");
		}
		return Set.of(namespace);
	}

	private static boolean hasReached(Set<String> scopes, String version, Map<String, Position> positions) {
		for (String scope : scopes) {
			Position position = positions.get(scope);
			if (position == null || !position.hasReached(version)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Records the versions that the mirror has reached, and calls the callbacks that wait
	 * for them. Called by the writer of the mirror.
	 * @param reached for each namespace that is followed separately, the versions in the
	 * order in which they were reached
	 */
	public void advance(Map<String, Deque<String>> reached) {
		Map<String, Position> positions = positions(reached);
		this.positions = positions;
		List<Waiter> ready = new ArrayList<>(0);
		synchronized (this.waiters) {
			if (!this.waiters.isEmpty()) {
				this.waiters.removeIf((waiter) -> {
					boolean done = hasReached(waiter.scopes, waiter.version, positions);
					if (done) {
						ready.add(waiter);
					}
					return done;
				});
			}
		}
		ready.forEach((waiter) -> waiter.wake.run());
	}

	private Map<String, Position> positions(Map<String, Deque<String>> reached) {
		Map<String, Position> before = this.positions;
		Deque<String> versions = (reached.size() == 1 && before.size() < 2) ? reached.get(ALL) : null;
		if (versions != null) {
			// the usual case, called once for each event
			return Map.of(ALL, before.getOrDefault(ALL, Position.NONE).at(versions));
		}
		Map<String, Position> positions = new HashMap<>(before);
		reached.forEach((scope, later) -> positions.put(scope, before.getOrDefault(scope, Position.NONE).at(later)));
		return Map.copyOf(positions);
	}

	/**
	 * Registers a callback that is called when a version is reached.
	 * @param namespace the namespace, empty for all
	 * @param version the version
	 * @param wake called once when the version has been reached, possibly at once; must
	 * be quick
	 * @return a task that withdraws the callback
	 */
	Runnable await(String namespace, String version, Runnable wake) {
		Waiter waiter = new Waiter(asked(namespace, version), version, wake);
		synchronized (this.waiters) {
			// checked under the lock, so that a later call of advance finds the callback
			if (!hasReached(waiter.scopes, version, this.positions)) {
				this.waiters.add(waiter);
				return () -> giveUp(waiter);
			}
		}
		wake.run();
		return () -> {
		};
	}

	private void giveUp(Waiter waiter) {
		synchronized (this.waiters) {
			this.waiters.remove(waiter);
		}
	}

	/** Returns the number of callbacks that wait for a version. */
	int waiting() {
		synchronized (this.waiters) {
			return this.waiters.size();
		}
	}

	/**
	 * The progress of one namespace, or of all namespaces if they are followed together.
	 *
	 * @param version the version up to which the mirror is complete
	 * @param passed reached versions that have no order (W-69), so that {@code version}
	 * does not show that they were reached. Only the most recently reached ones are kept
	 */
	private record Position(String version, Set<String> passed) {

		private static final Position NONE = new Position("", Set.of());

		private boolean hasReached(String asked) {
			return this.version.equals(asked) || ResourceVersions.isGreater(this.version, asked)
					|| this.passed.contains(asked);
		}

		private Position at(Deque<String> versions) {
			if (versions.size() == 1 && ResourceVersions.isWellFormed(versions.getLast())) {
				return new Position(versions.getLast(), this.passed);
			}
			List<String> odd = versions.stream().filter((version) -> !ResourceVersions.isWellFormed(version)).toList();
			if (odd.isEmpty()) {
				return new Position(versions.getLast(), this.passed);
			}
			List<String> passed = new ArrayList<>(this.passed);
			passed.removeAll(Set.copyOf(odd));
			passed.addAll(odd);
			int from = Math.max(0, passed.size() - VersionTracker.REMEMBERED);
			return new Position(versions.getLast(), new LinkedHashSet<>(passed.subList(from, passed.size())));
		}

	}

	/** A callback that waits for a version. Compared by identity. */
	private static final class Waiter {

		private final Set<String> scopes;

		private final String version;

		private final Runnable wake;

		Waiter(Set<String> scopes, String version, Runnable wake) {
			this.scopes = scopes;
			this.version = version;
			this.wake = wake;
		}

	}

}
