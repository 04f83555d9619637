package dev.reflector.console;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what a handler does.
 */
final class HandlerCounts {

	private final String name;

	private final LongAdder handled = new LongAdder();

	private final LongAdder failures = new LongAdder();

	HandlerCounts(String name) {
		this.name = name;
	}

	void handled() {
		this.handled.increment();
	}

	void failed() {
		this.failures.increment();
	}

	View view() {
		return new View(this.name, this.handled.sum(), this.failures.sum());
	}

	/**
	 * The counts, as the page gets them.
	 *
	 * @param name name of the handler
	 * @param handled how many changes it has handled
	 * @param failures how many it has failed on
	 */
	record View(String name, long handled, long failures) {

	}

}
