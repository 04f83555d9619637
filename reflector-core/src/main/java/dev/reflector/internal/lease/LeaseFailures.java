package dev.reflector.internal.lease;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.internal.call.OncePerMinute;
import dev.reflector.cache.source.ApiException;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Logs failed requests about a Lease, with at most one warning per minute. A conflict is
 * logged at DEBUG, because it only means that another replica was faster. After several
 * conflicts in a row, further ones are logged like other failures. Called under a lock.
 */
public final class LeaseFailures {

	private static final int CONFLICT = 409;

	/**
	 * The largest number of conflicts in a row that can be explained by faster replicas.
	 */
	private static final int TOLERATED = 5;

	private final TimeSource time;

	private final Logger logger;

	private final OncePerMinute warnings = new OncePerMinute();

	private int conflicts;

	public LeaseFailures(TimeSource time, Logger logger) {
		this.time = time;
		this.logger = logger;
	}

	/** Notes that the Lease was written. */
	public void written() {
		this.conflicts = 0;
	}

	/**
	 * Reports a failure.
	 * @param lease namespace and name of the Lease
	 * @param what the action that has failed, as a participle such as {@code renewed}
	 * @param failure the cause
	 */
	public void report(String lease, String what, Throwable failure) {
		boolean warns = (!isConflict(failure) || ++this.conflicts > TOLERATED)
				&& this.warnings.isDue(this.time.nanoTime());
		this.logger.atLevel(warns ? Level.WARN : Level.DEBUG)
			.log("The lease {} could not be {}: {}", lease, what, failure.toString());
	}

	private static boolean isConflict(Throwable failure) {
		return failure instanceof ApiException refusal && refusal.status().code() == CONFLICT;
	}

}
