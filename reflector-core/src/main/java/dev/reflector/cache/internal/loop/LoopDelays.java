package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;

import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The delays of a loop. Each cause of failure has its own back-off, so that an outage
 * does not lengthen the delays after a failure of another kind. If the server sends a
 * {@code Retry-After}, the delay has this length, and does not grow with each failure.
 * With the default settings, delays are shorter after refused connections and after the
 * first expired versions. In client-go's mode, there is one back-off for all causes, and
 * no shorter delays. Also knows which failures are expected to pass, and for how long the
 * loop may continue without a new list.
 */
final class LoopDelays {

	/** The longest delay between two attempts while connections are refused. */
	private static final Duration REFUSED = Duration.ofSeconds(1);

	/**
	 * How many expired versions in a row are followed by a list without a delay. For the
	 * second and the third, a watch must have worked since the previous expired version.
	 * Otherwise the version may have expired because the list took too long.
	 */
	private static final int LISTED_AT_ONCE = 3;

	private final Map<Cause, Backoff> backoffs = new EnumMap<>(Cause.class);

	private final BackoffSettings settings;

	private final boolean byCause;

	private final boolean shortcuts;

	private final AuthorizationGracePeriod gracePeriod;

	private final RetryWithDeadline internalErrors;

	private final TimeSource time;

	private final RandomGenerator random;

	private long heldUntil;

	private @Nullable Failure heldFor;

	LoopDelays(LoopSetup<?> setup) {
		this.settings = setup.behaviour().backoff(setup.options().backoff());
		this.byCause = setup.behaviour().delaysByCause();
		this.shortcuts = this.byCause && isStandard(this.settings);
		this.time = setup.time();
		this.random = setup.random();
		this.gracePeriod = new AuthorizationGracePeriod(this.time);
		this.internalErrors = new RetryWithDeadline(setup.options().watch().internalErrorRetry(), this.time);
		this.heldUntil = this.time.nanoTime();
		Backoff one = new Backoff(this.settings, this.time, this.random, true);
		for (Cause cause : Cause.values()) {
			this.backoffs.put(cause, this.byCause ? create(cause) : one);
		}
	}

	/**
	 * Whether the delays are the default ones, and the time after which they start over
	 * is not zero. If it were zero, each expired version would count as the first one,
	 * and never cause a delay.
	 */
	private static boolean isStandard(BackoffSettings settings) {
		BackoffSettings standard = BackoffSettings.DEFAULT;
		return settings.initial().equals(standard.initial()) && settings.max().equals(standard.max())
				&& settings.multiplier() == standard.multiplier() && !settings.resetAfter().isZero();
	}

	private Backoff create(Cause cause) {
		BackoffSettings own = (this.shortcuts && cause == Cause.REFUSED) ? new BackoffSettings(this.settings.initial(),
				REFUSED, this.settings.multiplier(), this.settings.jitter(), this.settings.resetAfter())
				: this.settings;
		return new Backoff(own, this.time, this.random, false);
	}

	/**
	 * Classifies a failure.
	 * @param failure the failure
	 * @param watch whether the request was a watch
	 * @return the failure, marked as passing if it is a refusal that is expected to pass
	 */
	Failure classify(Failure failure, boolean watch) {
		return this.byCause ? this.gracePeriod.classify(failure, watch) : failure;
	}

	/**
	 * Notes an error of a watch.
	 * @param failure the error
	 * @return whether the error is an internal error in the time window in which the loop
	 * may continue without a new list
	 */
	boolean mayContinueAfter(Failure failure) {
		return this.internalErrors.after(failure);
	}

	/** Notes that the server has allowed a full state. */
	void listed() {
		this.gracePeriod.listed();
		// each pass has its own time window for internal errors
		this.internalErrors.reset();
	}

	/** Notes that the server has allowed a watch. */
	void watched() {
		this.gracePeriod.watched();
	}

	/**
	 * Draws the delay after a failure.
	 * @param failure the failure
	 * @param atLeast the shortest delay that may be returned
	 * @return the delay
	 */
	Duration after(Failure failure, Duration atLeast) {
		Cause cause = Cause.of(failure);
		Backoff backoff = backoff(cause);
		int before = backoff.inARow();
		boolean workedSince = backoff.hasSucceeded();
		Duration drawn = backoff.next();
		if (this.shortcuts && cause == Cause.EXPIRED && (before == 0 || (before < LISTED_AT_ONCE && workedSince))) {
			return atLeastHeld(atLeast);
		}
		if (isSetByServer(failure)) {
			return atLeastHeld(asTheServerAsks(atLeast));
		}
		return atLeastHeld((drawn.compareTo(atLeast) > 0) ? drawn : atLeast);
	}

	private Backoff backoff(Cause cause) {
		return Objects.requireNonNull(this.backoffs.get(cause));
	}

	/**
	 * Returns a slightly longer delay than the server asks for, so that clients do not
	 * all reconnect at the same moment.
	 */
	private Duration asTheServerAsks(Duration delay) {
		double jitter = this.random.nextDouble() * this.settings.jitter() * Math.min(delay.toNanos(), REFUSED.toNanos())
				/ 2;
		return delay.plusNanos((long) jitter);
	}

	/**
	 * Whether the server determines the delay. Such a delay does not grow with each
	 * failure.
	 * @param failure the failure
	 */
	boolean isSetByServer(Failure failure) {
		return this.byCause && Cause.of(failure) == Cause.BUSY;
	}

	/**
	 * Whether the loop waits for a check instead of a delay. The check finds out whether
	 * the server accepts connections again. All reflectors of that server share the
	 * check.
	 * @param failure the failure
	 */
	boolean isLookedAfter(Failure failure) {
		return this.shortcuts && failure.connectionRefused();
	}

	/**
	 * Notes that opening the next watch has failed while the current watch continues. If
	 * the current watch ends before the delay of the failure is over, the next request
	 * waits for the rest of the delay.
	 * @param failure the failure
	 */
	void hold(Failure failure) {
		hold(after(failure, failure.retryAfter()));
		this.heldFor = failure;
	}

	/**
	 * Notes that the next watch could not take over from the current watch. If the
	 * current watch ends within {@link #spacing()}, the next request waits for the rest
	 * of that time.
	 */
	void hold() {
		hold(spacing());
		this.heldFor = null;
	}

	private void hold(Duration delay) {
		this.heldUntil = this.time.nanoTime() + delay.toNanos();
	}

	/** Whether the next request must wait. */
	boolean isHeld() {
		return held() > 0;
	}

	/**
	 * Returns the failure that delays the next request, or {@code null} if there is none.
	 */
	@Nullable Failure heldFor() {
		return isHeld() ? this.heldFor : null;
	}

	private long held() {
		return this.heldUntil - this.time.nanoTime();
	}

	private Duration atLeastHeld(Duration delay) {
		return Duration.ofNanos(Math.max(delay.toNanos(), held()));
	}

	/**
	 * Notes a success. The delays start over after the reset time, unless a failure comes
	 * before.
	 */
	void succeeded() {
		this.backoffs.values().forEach(Backoff::succeeded);
	}

	/** Returns the delay after a short stream. */
	Duration spacing() {
		return atLeastHeld(backoff(Cause.OTHER).spacing());
	}

	/**
	 * Returns a short random delay, so that clients that lost the same server do not all
	 * reconnect at the same moment.
	 */
	Duration scatter() {
		return atLeastHeld(backoff(Cause.OTHER).scatter());
	}

	/** Returns the longest delay. */
	Duration longest() {
		return backoff(Cause.OTHER).longest();
	}

	/** The cause of a delay. */
	private enum Cause {

		/** The server does not accept connections. */
		REFUSED,

		/** The server was not reached, or the connection broke. */
		UNREACHED,

		/** The server says how long to wait. */
		BUSY,

		/** The server no longer has the version. */
		EXPIRED,

		/** The server refuses the request, or does not have what is requested. */
		DENIED,

		OTHER;

		static Cause of(Failure failure) {
			if (failure.transport()) {
				return failure.connectionRefused() ? REFUSED : UNREACHED;
			}
			if (failure.expired()) {
				return EXPIRED;
			}
			if (!failure.retryAfter().isZero()) {
				return BUSY;
			}
			return (failure.unauthorized() || failure.refusal()) ? DENIED : OTHER;
		}

	}

}
