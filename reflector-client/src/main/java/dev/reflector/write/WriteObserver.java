package dev.reflector.write;

/**
 * Receives a report of each write. Called by the thread that writes, so it must be quick;
 * what it throws is logged.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface WriteObserver {

	/**
	 * A call has ended.
	 * @param report what became of it
	 */
	void written(WriteReport report);

}
