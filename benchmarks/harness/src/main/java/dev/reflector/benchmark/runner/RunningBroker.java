package dev.reflector.benchmark.runner;

import org.jspecify.annotations.Nullable;

/**
 * A broker in a separate process.
 *
 * @param worker its process, or {@code null} if no broker is needed
 * @param servers the address of the broker
 */
record RunningBroker(@Nullable Worker worker, String servers) implements AutoCloseable {

	/** Stands for no broker. */
	static final RunningBroker NONE = new RunningBroker(null, "");

	@Override
	public void close() {
		if (this.worker != null) {
			this.worker.close();
		}
	}

}
