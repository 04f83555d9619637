package dev.reflector.event;

import dev.reflector.leaderelection.ResourceLock;

/**
 * Something that this replica has learned from its leader election. Published on one
 * thread at a time, in the order of what has happened: a listener returns soon, and does
 * not do the work of the leader itself. When a listener throws, that is logged, and the
 * listeners after it are still called.
 *
 * @since 0.1.0
 */
public abstract sealed class LeaderElectionEvent extends DeliveredEvent
		permits StartedLeadingEvent, StoppedLeadingEvent, NewLeaderEvent {

	LeaderElectionEvent(ResourceLock lock) {
		super(lock);
	}

	/**
	 * Who this replica is.
	 * @return its identity in the election
	 */
	public String identity() {
		return ((ResourceLock) getSource()).identity();
	}

	/**
	 * The lease that the replicas compete for.
	 * @return namespace and name
	 */
	public String lease() {
		return ((ResourceLock) getSource()).describe();
	}

}
