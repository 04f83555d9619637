package dev.reflector.leaderelection;

import java.time.Duration;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.source.ApiException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs requests about the lock that have failed: with a warning once a minute at most. A
 * conflict is none, because it only says that another replica was faster.
 */
final class LockFailures {

	private static final Logger logger = LoggerFactory.getLogger(LeaderElector.class);

	private static final long DISTANCE = Duration.ofMinutes(1).toNanos();

	private static final int CONFLICT = 409;

	private final ResourceLock lock;

	private final TimeSource time;

	private @Nullable Long warnedAt;

	LockFailures(ResourceLock lock, TimeSource time) {
		this.lock = lock;
		this.time = time;
	}

	/**
	 * Reports a failure. Called under the lock of the elector.
	 * @param what what could not be done
	 * @param failure why
	 */
	void report(String what, Throwable failure) {
		logger.atLevel((!isConflict(failure) && mayWarn()) ? Level.WARN : Level.DEBUG)
			.log("The lease {} could not be {}: {}", this.lock.describe(), what, failure.toString());
	}

	private static boolean isConflict(Throwable failure) {
		return failure instanceof ApiException refusal && refusal.status().code() == CONFLICT;
	}

	private boolean mayWarn() {
		long now = this.time.nanoTime();
		Long before = this.warnedAt;
		if (before != null && now - before < DISTANCE) {
			return false;
		}
		this.warnedAt = now;
		return true;
	}

}
