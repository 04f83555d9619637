package dev.reflector.autoconfigure.internal.lifecycle;

import java.util.concurrent.CompletableFuture;

import dev.reflector.autoconfigure.internal.registration.ShardDelivery;
import dev.reflector.sharding.membership.ShardMembership;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Observes the other replicas right before the reflectors start, which wait for the slots
 * that they should mirror. {@link Joining} takes these slots, after everything else of
 * the application has started.
 *
 * @param membership the membership
 * @param delivery has the reflectors follow it
 */
public record ShardMembershipLifecycle(ShardMembership membership, ShardDelivery delivery) implements SmartLifecycle {

	@Override
	public void start() {
		this.delivery.join();
		this.membership.observe();
	}

	/** For a context that is closed before it has joined, or whose time is over. */
	@Override
	public void stop() {
		this.membership.abort();
	}

	@Override
	public boolean isRunning() {
		return !this.membership.isStopped();
	}

	@Override
	public int getPhase() {
		return ReflectorLifecycle.PHASE - 1;
	}

	/**
	 * Joins the replicas last of all, also after the web server: an application that does
	 * not start takes no slots. It hands all slots over first of all, and on every way
	 * out.
	 */
	public static final class Joining
			implements SmartLifecycle, ApplicationListener<ContextRefreshedEvent>, DisposableBean {

		private final ShardMembershipLifecycle lifecycle;

		private volatile boolean running;

		private volatile boolean refreshed;

		/**
		 * Creates the part of the lifecycle in which this replica is a member.
		 * @param lifecycle observes the others before
		 */
		public Joining(ShardMembershipLifecycle lifecycle) {
			this.lifecycle = lifecycle;
		}

		@Override
		public void start() {
			this.running = true;
			this.lifecycle.membership().start();
		}

		@Override
		public void onApplicationEvent(ContextRefreshedEvent event) {
			this.refreshed = true;
		}

		@Override
		public void stop() {
			leave().join();
		}

		@Override
		public void stop(Runnable callback) {
			leave().whenComplete((nothing, failure) -> callback.run());
		}

		private CompletableFuture<Void> leave() {
			this.running = false;
			this.lifecycle.delivery().leave();
			CompletableFuture<Void> left = this.lifecycle.membership().stop().toCompletableFuture();
			return this.refreshed ? left : FailedStart.limit(left, "the slots", this.lifecycle.membership()::abort);
		}

		/**
		 * A context whose refresh fails after its lifecycle has started is not stopped.
		 */
		@Override
		public void destroy() {
			if (this.running) {
				this.refreshed = false;
				stop();
			}
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

}
