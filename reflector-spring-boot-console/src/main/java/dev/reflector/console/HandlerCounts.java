package dev.reflector.console;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the calls of a handler and their failures.
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
	 * The counts of one handler, as they are sent to the web page.
	 *
	 * @param name name of the handler
	 * @param handled number of changes that the handler has handled
	 * @param failures number of changes for which the handler has thrown an exception
	 */
	record View(String name, long handled, long failures) {

	}

}
