package dev.reflector.benchmark.scaling;

import org.springframework.context.SmartLifecycle;

/**
 * Holds the start of the application up just before it makes its first request, so that
 * all replicas begin at the same time, and what came before is not measured.
 *
 * @param pass returns when the application may go on
 */
record Gate(Runnable pass) implements SmartLifecycle {

	/** Before that of the reflectors, and of what joins the other replicas. */
	private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096 - 2;

	@Override
	public void start() {
		this.pass.run();
	}

	@Override
	public void stop() {
		// there is nothing to end
	}

	@Override
	public boolean isRunning() {
		return false;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
