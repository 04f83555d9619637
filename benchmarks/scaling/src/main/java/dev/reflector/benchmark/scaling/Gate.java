package dev.reflector.benchmark.scaling;

import org.springframework.context.SmartLifecycle;

/**
 * Blocks the start of the application just before its first request, so that all replicas
 * begin at the same time, and the time before is not measured.
 *
 * @param pass returns when the application may continue
 */
record Gate(Runnable pass) implements SmartLifecycle {

	/** Before the phase of the reflectors, and of the beans that join other replicas. */
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
