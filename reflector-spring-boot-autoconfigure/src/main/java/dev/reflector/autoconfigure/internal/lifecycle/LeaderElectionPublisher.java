package dev.reflector.autoconfigure.internal.lifecycle;

import dev.reflector.event.NewLeaderEvent;
import dev.reflector.event.StartedLeadingEvent;
import dev.reflector.event.StoppedLeadingEvent;
import dev.reflector.leaderelection.LeaderCallbacks;
import dev.reflector.leaderelection.ResourceLock;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes events of a leader election.
 *
 * @param lock the lock of the election
 * @param publisher publishes the events
 */
public record LeaderElectionPublisher(ResourceLock lock,
		ApplicationEventPublisher publisher) implements LeaderCallbacks {

	@Override
	public void onStartedLeading(long epoch) {
		this.publisher.publishEvent(new StartedLeadingEvent(this.lock, epoch));
	}

	@Override
	public void onStoppedLeading(long epoch) {
		this.publisher.publishEvent(new StoppedLeadingEvent(this.lock, epoch));
	}

	@Override
	public void onNewLeader(String identity) {
		this.publisher.publishEvent(new NewLeaderEvent(this.lock, identity));
	}

}
