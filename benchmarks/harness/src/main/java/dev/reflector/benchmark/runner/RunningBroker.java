package dev.reflector.benchmark.runner;

import org.jspecify.annotations.Nullable;

/**
 * A broker in a process of its own.
 *
 * @param worker its process, {@code null} where none is needed
 * @param servers where it is
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
