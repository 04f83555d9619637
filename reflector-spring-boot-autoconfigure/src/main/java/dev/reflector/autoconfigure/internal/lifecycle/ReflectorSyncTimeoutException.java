package dev.reflector.autoconfigure.internal.lifecycle;

import java.time.Duration;
import java.util.List;

import dev.reflector.Reflector;

/**
 * Some reflectors have not synced in time, and the start is strict.
 */
public final class ReflectorSyncTimeoutException extends RuntimeException {

	/**
	 * Creates the exception. Its message says what each reflector is doing now.
	 * @param missing the reflectors that have not synced
	 * @param timeout the time that they had
	 */
	ReflectorSyncTimeoutException(List<Reflector<?>> missing, Duration timeout) {
		super("'reflector.startup.strict' is set, and these reflectors have not synced within " + SyncWait.text(timeout)
				+ " ('reflector.startup.timeout'): " + SyncWait.describe(missing));
	}

}
