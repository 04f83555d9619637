package dev.reflector.autoconfigure.internal.lifecycle;

import dev.reflector.leaderelection.LeaderElector;

import org.springframework.context.SmartLifecycle;

/**
 * Begins to compete when all of the application has started, and stops to lead before
 * anything else of the application stops.
 */
public final class LeaderElectionLifecycle implements SmartLifecycle {

	private final LeaderElector elector;

	private volatile boolean running;

	public LeaderElectionLifecycle(LeaderElector elector) {
		this.elector = elector;
	}

	@Override
	public void start() {
		this.running = true;
		this.elector.start();
	}

	@Override
	public void stop() {
		this.running = false;
		this.elector.stop().toCompletableFuture().join();
	}

	@Override
	public void stop(Runnable callback) {
		this.running = false;
		this.elector.stop().whenComplete((nothing, failure) -> callback.run());
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}
