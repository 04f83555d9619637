package dev.reflector.cache.source;

import java.time.Duration;
import java.util.List;

/**
 * Signals that the collection can be listed but not watched. If
 * {@link ListerWatcher#watch} signals this exception, the reflector lists the collection
 * periodically instead.
 *
 * @since 0.1.0
 */
public class WatchNotSupportedException extends ApiException {

	private static final String REASON = "WatchNotSupported";

	/**
	 * Creates the exception.
	 * @param message what cannot be watched, human-readable
	 */
	public WatchNotSupportedException(String message) {
		super(message, new Status(405, REASON, message, List.of(), 0, false), Duration.ZERO);
	}

}
