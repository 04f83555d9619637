package dev.reflector.autoconfigure.internal.lifecycle;

import java.util.concurrent.CompletableFuture;

import dev.reflector.autoconfigure.internal.registration.ShardDelivery;
import dev.reflector.sharding.membership.ShardMembership;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Begins to observe the other replicas right before the reflectors start, because the
 * reflectors must know which slots to mirror. {@link Joining} acquires these slots after
 * the rest of the application has started.
 *
 * @param membership the membership
 * @param delivery makes the reflectors follow the membership
 */
public record ShardMembershipLifecycle(ShardMembership membership, ShardDelivery delivery) implements SmartLifecycle {

	@Override
	public void start() {
		this.delivery.join();
		this.membership.observe();
	}

	/**
	 * Ends the membership at once, without handing slots over. This has an effect only if
	 * the context is closed before this replica has joined, or if the time to hand slots
	 * over has passed.
	 */
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
	 * Joins the other replicas as the last step of the start, after the web server, so
	 * that an application whose start fails acquires no slots. Hands all slots over as
	 * the first step of a stop, and after a start that has failed.
	 */
	public static final class Joining
			implements SmartLifecycle, ApplicationListener<ContextRefreshedEvent>, DisposableBean {

		private final ShardMembershipLifecycle lifecycle;

		private volatile boolean running;

		private volatile boolean refreshed;

		/**
		 * Creates the second part of the lifecycle, in which this replica joins and
		 * leaves the other replicas.
		 * @param lifecycle the lifecycle that observes the other replicas before this
		 * replica joins
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
			if (this.refreshed) {
				this.lifecycle.delivery().flushSnapshots();
			}
			this.lifecycle.delivery().leave();
			CompletableFuture<Void> left = this.lifecycle.membership().stop().toCompletableFuture();
			return this.refreshed ? left : FailedStart.limit(left, "the slots", this.lifecycle.membership()::abort);
		}

		/**
		 * Hands the slots over if the context has failed to start after this replica had
		 * joined, and has not stopped this lifecycle.
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
