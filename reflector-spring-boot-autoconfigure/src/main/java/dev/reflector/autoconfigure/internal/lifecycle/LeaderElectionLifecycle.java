package dev.reflector.autoconfigure.internal.lifecycle;

import dev.reflector.leaderelection.LeaderElector;

import org.springframework.context.SmartLifecycle;

/**
 * Begins to compete when all of the application has started, and stops leading before
 * anything else of the application stops.
 */
public final class LeaderElectionLifecycle implements SmartLifecycle {

	private final LeaderElector elector;

	private final Runnable beforeStop;

	private volatile boolean running;

	/**
	 * Creates the lifecycle of an election.
	 * @param elector competes
	 * @param beforeStop what to do before the lead is given up
	 */
	public LeaderElectionLifecycle(LeaderElector elector, Runnable beforeStop) {
		this.elector = elector;
		this.beforeStop = beforeStop;
	}

	@Override
	public void start() {
		this.running = true;
		this.elector.start();
	}

	@Override
	public void stop() {
		this.running = false;
		this.beforeStop.run();
		this.elector.stop().toCompletableFuture().join();
	}

	@Override
	public void stop(Runnable callback) {
		this.running = false;
		this.beforeStop.run();
		this.elector.stop().whenComplete((nothing, failure) -> callback.run());
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}
