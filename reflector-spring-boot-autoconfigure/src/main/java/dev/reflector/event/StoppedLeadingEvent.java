package dev.reflector.event;

import dev.reflector.leaderelection.ResourceLock;

/**
 * This replica no longer leads. Calls of listeners about objects that have begun may
 * still be in progress. When the application stops, no other replica leads before they
 * and all listeners of this event have returned, or the application has ended; with
 * {@code reflector.leader-election.release-on-cancel}, the lease is then released.
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
	 * The number of the term.
	 * @return a number that is larger than those of all earlier terms of this lease
	 */
	public long epoch() {
		return this.epoch;
	}

	@Override
	public String toString() {
		return getClass().getSimpleName() + "[" + lease() + ", epoch " + this.epoch + "]";
	}

}
