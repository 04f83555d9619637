package dev.reflector.autoconfigure.internal.lifecycle;

import dev.reflector.autoconfigure.internal.registration.ShardDelivery;
import dev.reflector.sharding.membership.ShardMembership;

import org.springframework.context.SmartLifecycle;

/**
 * Joins the replicas right before the reflectors start, which wait for their slots. The
 * slots are handed over by {@link Leaving}, before anything else of the application
 * stops.
 *
 * @param membership the membership
 * @param delivery has the reflectors follow it
 */
public record ShardMembershipLifecycle(ShardMembership membership, ShardDelivery delivery) implements SmartLifecycle {

	@Override
	public void start() {
		this.delivery.join();
		this.membership.start();
	}

	/** For a context that is closed before it has started. */
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
	 * Hands over all slots.
	 */
	public static final class Leaving implements SmartLifecycle {

		private final ShardMembershipLifecycle joined;

		private volatile boolean running;

		/**
		 * Creates the end of a membership.
		 * @param joined its begin
		 */
		public Leaving(ShardMembershipLifecycle joined) {
			this.joined = joined;
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
			this.joined.delivery().leave();
			this.joined.membership().stop().toCompletableFuture().join();
		}

		@Override
		public void stop(Runnable callback) {
			this.running = false;
			this.joined.delivery().leave();
			this.joined.membership().stop().whenComplete((nothing, failure) -> callback.run());
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

}
