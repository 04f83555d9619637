package dev.reflector.cache.source;

import java.time.Duration;
import java.util.List;

/**
 * Signals that the server does not serve the type of the collection: its definition (CRD)
 * is not installed, or was removed. A {@link ListerWatcher} that signals this exception
 * can implement {@link ListerWatcher#awaitType()} to signal when to try again.
 *
 * @since 0.1.0
 */
public class TypeNotServedException extends ApiException {

	private static final String REASON = "TypeNotServed";

	/**
	 * Creates the exception.
	 * @param message what is not served and what to do about it, human-readable
	 */
	public TypeNotServedException(String message) {
		super(message, new Status(404, REASON, message, List.of(), 0, false), Duration.ZERO);
	}

}
