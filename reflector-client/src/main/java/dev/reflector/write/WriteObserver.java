package dev.reflector.write;

/**
 * Receives a report of each write. Called by the thread that writes, so it must be quick.
 * If it throws, the exception is logged.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface WriteObserver {

	/**
	 * Called when a call of the writer has ended.
	 * @param report the report of the call
	 */
	void written(WriteReport report);

}
