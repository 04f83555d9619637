package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.List;

import dev.reflector.Reflector;

/**
 * Reflectors without which the application is not to start have not synced in time.
 */
final class ReflectorSyncTimeoutException extends RuntimeException {

	/**
	 * Makes one that says what each reflector is doing now.
	 * @param missing the reflectors that have not synced
	 * @param timeout how long they had
	 */
	ReflectorSyncTimeoutException(List<Reflector<?>> missing, Duration timeout) {
		super("'reflector.startup.strict' is set, and these reflectors have not synced within " + SyncWait.text(timeout)
				+ " ('reflector.startup.timeout'): " + SyncWait.describe(missing));
	}

}
