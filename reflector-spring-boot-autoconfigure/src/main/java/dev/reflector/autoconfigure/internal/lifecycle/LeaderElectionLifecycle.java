package dev.reflector.autoconfigure.internal.lifecycle;

import java.util.concurrent.CompletableFuture;

import dev.reflector.leaderelection.LeaderElector;

import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Begins to compete for the lead after the rest of the application has started, and stops
 * leading before the rest of the application stops. If the start of the application fails
 * before its context is refreshed, the time for handing over the lead is limited.
 */
public final class LeaderElectionLifecycle implements SmartLifecycle, ApplicationListener<ContextRefreshedEvent> {

	private final LeaderElector elector;

	private final Runnable beforeStop;

	private volatile boolean running;

	private volatile boolean refreshed;

	/**
	 * Creates the lifecycle of an election.
	 * @param elector the elector of this replica
	 * @param beforeStop runs before the lead is given up
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
	public void onApplicationEvent(ContextRefreshedEvent event) {
		this.refreshed = true;
	}

	@Override
	public void stop() {
		end().join();
	}

	@Override
	public void stop(Runnable callback) {
		end().whenComplete((nothing, failure) -> callback.run());
	}

	private CompletableFuture<Void> end() {
		this.running = false;
		if (!this.refreshed) {
			return FailedStart.limit(this.elector.stop(), "the lead", this.elector::close);
		}
		this.beforeStop.run();
		return this.elector.stop().toCompletableFuture();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}
