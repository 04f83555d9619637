package dev.reflector.autoconfigure.internal.lifecycle;

import java.time.Duration;
import java.util.List;

import dev.reflector.Reflector;

/**
 * Thrown when the start is strict and some reflectors have not synced in time.
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
