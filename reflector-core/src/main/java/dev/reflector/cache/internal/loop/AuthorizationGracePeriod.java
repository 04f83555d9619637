package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes refusals (401 or 403) that are expected to pass from lasting ones. After
 * a restart, an API server refuses all requests of RBAC users until it has read the
 * roles. Therefore a refusal is expected to pass if the same request was allowed before,
 * and if the first refusal was only a few seconds ago. That lists are allowed says
 * nothing about watches: a role may lack a verb.
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

	/** Whether the first refusal of the current series was the refusal of a watch. */
	private boolean sinceWatch;

	private boolean listAllowed;

	private boolean watchAllowed;

	AuthorizationGracePeriod(TimeSource time) {
		this.time = time;
	}

	/**
	 * Classifies a failure.
	 * @param failure the failure
	 * @param watch whether the request was a watch
	 * @return the failure, marked as passing if it is expected to pass
	 */
	Failure classify(Failure failure, boolean watch) {
		if (!failure.unauthorized()) {
			this.since = null;
			return failure;
		}
		// credentials that are accepted for a list are good for a watch, too
		boolean allowed = (watch && failure.code() == 403) ? this.watchAllowed : this.listAllowed;
		if (!allowed) {
			return failure;
		}
		long now = this.time.nanoTime();
		Long since = this.since;
		if (since == null) {
			this.since = now;
			this.sinceWatch = watch;
			return failure.asPassing();
		}
		return (now - since < GRACE.toNanos()) ? failure.asPassing() : failure;
	}

	/**
	 * Notes that the server has allowed a full state. The next refusal then starts a new
	 * grace period, unless the current series of refusals began with a watch.
	 */
	void listed() {
		this.listAllowed = true;
		if (!this.sinceWatch) {
			this.since = null;
		}
	}

	/**
	 * Notes that the server has allowed a watch, so the next refusal starts a new grace
	 * period.
	 */
	void watched() {
		this.listAllowed = true;
		this.watchAllowed = true;
		this.since = null;
	}

}
