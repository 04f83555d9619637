package dev.reflector.benchmark.application;

import org.springframework.context.SmartLifecycle;

/**
 * Starts a client with the application.
 */
final class Mirroring implements SmartLifecycle {

	private final Start start;

	private volatile boolean running;

	Mirroring(Start start) {
		this.start = start;
	}

	@Override
	public void start() {
		try {
			this.start.run();
		}
		catch (Exception ex) {
			throw new IllegalStateException("the client does not start", ex);
		}
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

	/** Starts the client. */
	@FunctionalInterface
	interface Start {

		/**
		 * Starts it.
		 * @throws Exception when it cannot start
		 */
		void run() throws Exception;

	}

}
