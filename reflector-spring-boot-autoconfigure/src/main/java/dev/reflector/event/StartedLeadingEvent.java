package dev.reflector.event;

import dev.reflector.leaderelection.ResourceLock;

/**
 * Published when this replica has become the leader. With
 * {@code reflector.leader-election.events=leader}, the replica begins to deliver when all
 * listeners of this event have returned.
 *
 * @since 0.1.0
 */
public final class StartedLeadingEvent extends LeaderElectionEvent {

	private final long epoch;

	/**
	 * Creates the event.
	 * @param lock the lock
	 * @param epoch number of the term
	 */
	public StartedLeadingEvent(ResourceLock lock, long epoch) {
		super(lock);
		this.epoch = epoch;
	}

	/**
	 * Returns the number of the term.
	 * @return a number that is larger than the numbers of all earlier terms of this lease
	 */
	public long epoch() {
		return this.epoch;
	}

	@Override
	public String toString() {
		return getClass().getSimpleName() + "[" + lease() + ", epoch " + this.epoch + "]";
	}

}
