package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes refusals (401 or 403) that are expected to pass from lasting ones. After
 * a restart, an API server refuses all requests of RBAC users until it has read the
 * roles. Therefore a refusal is expected to pass if the reflector was allowed to list or
 * watch before, and if the first refusal was only a few seconds ago.
 */
final class AuthorizationGracePeriod {

	/**
	 * How long refusals are expected to pass, counted from the first of several refusals
	 * in a row. A server may need this time to read its roles.
	 */
	private static final Duration GRACE = Duration.ofSeconds(5);

	private final TimeSource time;

	/**
	 * When the first refusal of the current series arrived, or {@code null} if there is
	 * no series.
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
