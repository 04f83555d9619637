package dev.reflector.leaderelection;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.internal.call.OncePerMinute;
import dev.reflector.cache.source.ApiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs requests about the lock that have failed: with a warning once a minute at most. A
 * conflict is not a failure, because it only means that another replica was faster.
 */
final class LockFailures {

	private static final Logger logger = LoggerFactory.getLogger(LeaderElector.class);

	private static final int CONFLICT = 409;

	private final ResourceLock lock;

	private final TimeSource time;

	private final OncePerMinute warnings = new OncePerMinute();

	LockFailures(ResourceLock lock, TimeSource time) {
		this.lock = lock;
		this.time = time;
	}

	/**
	 * Reports a failure. Called under the lock of the elector.
	 * @param what the action that has failed
	 * @param failure the failure
	 */
	void report(String what, Throwable failure) {
		logger.atLevel((!isConflict(failure) && this.warnings.isDue(this.time.nanoTime())) ? Level.WARN : Level.DEBUG)
			.log("The lease {} could not be {}: {}", this.lock.describe(), what, failure.toString());
	}

	private static boolean isConflict(Throwable failure) {
		return failure instanceof ApiException refusal && refusal.status().code() == CONFLICT;
	}

}
