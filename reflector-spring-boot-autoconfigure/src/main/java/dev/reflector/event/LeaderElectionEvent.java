package dev.reflector.event;

import dev.reflector.leaderelection.ResourceLock;

/**
 * An event of the leader election in which this replica takes part. These events are
 * published one after the other, in the order in which they happened. Later events wait
 * for the listener, so it must return soon, and must not do the leader's work itself. If
 * a listener throws an exception, the exception is logged, and the other listeners are
 * still called.
 *
 * @since 0.1.0
 */
public abstract sealed class LeaderElectionEvent extends DeliveredEvent
		permits StartedLeadingEvent, StoppedLeadingEvent, NewLeaderEvent {

	LeaderElectionEvent(ResourceLock lock) {
		super(lock);
	}

	/**
	 * Returns the identity of this replica.
	 * @return the identity in the election
	 */
	public String identity() {
		return ((ResourceLock) getSource()).identity();
	}

	/**
	 * Returns the lease for which the replicas compete.
	 * @return namespace and name of the lease
	 */
	public String lease() {
		return ((ResourceLock) getSource()).describe();
	}

}
