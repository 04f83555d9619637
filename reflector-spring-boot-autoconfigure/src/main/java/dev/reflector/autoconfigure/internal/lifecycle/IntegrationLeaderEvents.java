package dev.reflector.autoconfigure.internal.lifecycle;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.reflector.event.ReplicaEventPublisher;
import dev.reflector.leaderelection.LeaderCallbacks;
import dev.reflector.leaderelection.LeaderElector;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;

/**
 * Publishes the events of Spring Integration's leader election, for endpoints with a role
 * and for listeners of these events.
 *
 * @param role the role, which is the name of the Lease
 * @param elector supplies the elector
 * @param publisher publishes the events
 */
public record IntegrationLeaderEvents(String role, ObjectProvider<LeaderElector> elector,
		ReplicaEventPublisher publisher) implements LeaderCallbacks {

	@Override
	public void onStartedLeading(long epoch) {
		this.publisher.publish(new OnGrantedEvent(this, new Lead(), this.role), LeaderElectionPublisher.WAITING);
	}

	@Override
	public CompletionStage<?> onStoppedLeading(long epoch) {
		this.publisher.publish(new OnRevokedEvent(this, new Lead(), this.role), LeaderElectionPublisher.WAITING);
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public void onNewLeader(String identity) {
		// Spring Integration has no event for a new leader
	}

	/**
	 * The context that the events contain. It shows listeners the role, and whether this
	 * replica leads.
	 */
	private final class Lead implements Context {

		@Override
		public boolean isLeader() {
			LeaderElector elector = IntegrationLeaderEvents.this.elector.getIfAvailable();
			return elector != null && elector.isLeader();
		}

		@Override
		public String getRole() {
			return IntegrationLeaderEvents.this.role;
		}

	}

}
