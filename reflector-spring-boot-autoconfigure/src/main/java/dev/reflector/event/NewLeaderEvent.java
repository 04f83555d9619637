package dev.reflector.event;

import dev.reflector.PrintableText;
import dev.reflector.leaderelection.ResourceLock;

/**
 * Another replica than before holds the lease, or this one has become the holder.
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
	 * Who holds the lease.
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
