package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes transient from permanent 401/403. After a restart, an API server forbids
 * everything to RBAC users for a moment, until it has read the roles. So if the reflector
 * was allowed to list or watch before, refusals in the first few seconds are expected to
 * pass.
 */
final class AuthorizationGracePeriod {

	/**
	 * How long after the first of several refusals the refusals are expected to pass. A
	 * server may need this time to read its roles.
	 */
	private static final Duration GRACE = Duration.ofSeconds(5);

	private final TimeSource time;

	/**
	 * When the first of the current refusals in a row came, or {@code null} if there is
	 * none.
	 */
	private @Nullable Long since;

	AuthorizationGracePeriod(TimeSource time) {
		this.time = time;
	}

	/**
	 * Classifies a failure.
	 * @param failure the failure
	 * @param authorized whether the reflector was allowed to list or watch before
	 * @return the failure, marked as passing if it is expected to pass
	 */
	Failure classify(Failure failure, boolean authorized) {
		if (!failure.unauthorized()) {
			this.since = null;
			return failure;
		}
		if (!authorized) {
			return failure;
		}
		long now = this.time.nanoTime();
		Long since = this.since;
		if (since == null) {
			this.since = now;
			return failure.asPassing();
		}
		return (now - since < GRACE.toNanos()) ? failure.asPassing() : failure;
	}

	/**
	 * Notes that the server has allowed a list or a watch, so the next refusal starts a
	 * new grace period.
	 */
	void allowed() {
		this.since = null;
	}

}
