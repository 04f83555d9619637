package dev.reflector.event;

import dev.reflector.PrintableText;
import dev.reflector.leaderelection.ResourceLock;

/**
 * Published when another replica, or this one, has become the holder of the lease.
 *
 * @since 0.1.0
 */
public final class NewLeaderEvent extends LeaderElectionEvent {

	private final String leader;

	/**
	 * Creates the event.
	 * @param lock the lock
	 * @param leader identity of the holder
	 */
	public NewLeaderEvent(ResourceLock lock, String leader) {
		super(lock);
		this.leader = leader;
	}

	/**
	 * Returns the holder of the lease.
	 * @return identity of the holder
	 */
	public String leader() {
		return this.leader;
	}

	@Override
	public String toString() {
		return getClass().getSimpleName() + "[" + lease() + ", " + PrintableText.of(this.leader) + "]";
	}

}
