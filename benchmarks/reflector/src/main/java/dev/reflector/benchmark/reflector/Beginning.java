package dev.reflector.benchmark.reflector;

import dev.reflector.benchmark.client.Probe;

import org.springframework.context.SmartLifecycle;

/**
 * Notes when the application is about to start its reflectors: the time before is the
 * start of Spring, which is measured separately.
 */
final class Beginning implements SmartLifecycle {

	/** Just before the phase of the reflectors. */
	private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096 - 1;

	private final Probe probe;

	private final Runnable before;

	private volatile boolean running;

	Beginning(Probe probe, Runnable before) {
		this.probe = probe;
		this.before = before;
	}

	@Override
	public void start() {
		this.before.run();
		this.probe.begin();
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
