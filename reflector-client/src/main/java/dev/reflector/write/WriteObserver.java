package dev.reflector.write;

/**
 * Receives a report of each write. Called on the thread that writes, so it must return
 * quickly. If it throws an exception, the exception is logged, and the write is not
 * affected.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface WriteObserver {

	/**
	 * Called when a write has ended, with or without success.
	 * @param report the report of the call
	 */
	void written(WriteReport report);

}
