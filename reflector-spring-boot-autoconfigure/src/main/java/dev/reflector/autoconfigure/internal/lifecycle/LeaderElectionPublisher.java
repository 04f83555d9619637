package dev.reflector.autoconfigure.internal.lifecycle;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.reflector.event.ReplicaEventPublisher;
import dev.reflector.event.NewLeaderEvent;
import dev.reflector.event.StartedLeadingEvent;
import dev.reflector.event.StoppedLeadingEvent;
import dev.reflector.leaderelection.LeaderCallbacks;
import dev.reflector.leaderelection.ResourceLock;

/**
 * Publishes events of a leader election.
 *
 * @param lock the lock of the election
 * @param publisher publishes the events
 */
public record LeaderElectionPublisher(ResourceLock lock, ReplicaEventPublisher publisher) implements LeaderCallbacks {

	/**
	 * Text for warnings: what is delayed while a listener of a leader election event is
	 * busy.
	 */
	static final String WAITING = "later events of the election wait, and with "
			+ "'reflector.leader-election.events=leader' this replica delivers nothing";

	@Override
	public void onStartedLeading(long epoch) {
		this.publisher.publish(new StartedLeadingEvent(this.lock, epoch), WAITING);
	}

	@Override
	public CompletionStage<?> onStoppedLeading(long epoch) {
		this.publisher.publish(new StoppedLeadingEvent(this.lock, epoch), WAITING);
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public void onNewLeader(String identity) {
		this.publisher.publish(new NewLeaderEvent(this.lock, identity), WAITING);
	}

}
