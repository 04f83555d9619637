package dev.reflector.event;

import dev.reflector.leaderelection.ResourceLock;

/**
 * Published when this replica no longer leads. Listeners of changes may still be running.
 * If the application stops, no other replica leads until these listeners and all
 * listeners of this event have returned, or until the application has ended. If
 * {@code reflector.leader-election.release-on-cancel} is set, the lease is released as
 * soon as all these listeners have returned.
 *
 * @since 0.1.0
 */
public final class StoppedLeadingEvent extends LeaderElectionEvent {

	private final long epoch;

	/**
	 * Creates the event.
	 * @param lock the lock
	 * @param epoch number of the term
	 */
	public StoppedLeadingEvent(ResourceLock lock, long epoch) {
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
