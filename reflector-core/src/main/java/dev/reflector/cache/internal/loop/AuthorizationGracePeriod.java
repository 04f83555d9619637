package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes transient from permanent 401/403. A real API server forbids everything to
 * RBAC users for a moment after a restart, because it has not read the roles yet.
 * Therefore, if the reflector was allowed to list or watch before, refusals of the next
 * few seconds are expected to pass.
 */
final class AuthorizationGracePeriod {

	/**
	 * How long refusals are expected to pass: the time a server gets to read its roles.
	 */
	private static final Duration GRACE = Duration.ofSeconds(5);

	private final TimeSource time;

	/**
	 * When the first of the refusals in a row came, or {@code null} after another result.
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
	 * Notes that the server has allowed a list or a watch, so the next refusal is the
	 * first.
	 */
	void allowed() {
		this.since = null;
	}

}
