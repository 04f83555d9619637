package dev.reflector.autoconfigure.internal.lifecycle;

import java.time.Duration;
import java.util.List;

import dev.reflector.Reflector;

/**
 * Thrown at startup if {@code reflector.startup.strict} is set and some reflectors do not
 * sync in time.
 */
public final class ReflectorSyncTimeoutException extends RuntimeException {

	/**
	 * Creates the exception. Its message says what each reflector is doing now.
	 * @param missing the reflectors that have not synced
	 * @param timeout how long the start has waited
	 */
	ReflectorSyncTimeoutException(List<Reflector<?>> missing, Duration timeout) {
		super("'reflector.startup.strict' is set, and these reflectors have not synced within " + SyncWait.text(timeout)
				+ " ('reflector.startup.timeout'): " + SyncWait.describe(missing));
	}

}
