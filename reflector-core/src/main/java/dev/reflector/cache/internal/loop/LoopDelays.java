package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.random.RandomGenerator;

import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The delays of a loop. Each cause of failure has a back-off of its own, so that an
 * outage leaves no long delays for what comes after it. With the standard settings, three
 * causes have shorter delays: refused connections, the first expired version, and an
 * answer that says itself when to come back. In client-go's mode there is one back-off
 * and none of this.
 */
final class LoopDelays {

	/** The longest delay between two attempts while connections are refused. */
	private static final Duration REFUSED = Duration.ofSeconds(1);

	/** How many answers in a row with a time to come back are taken at their word. */
	private static final int TAKEN_AT_THEIR_WORD = 10;

	/** With client-go's defects, unless the settings say otherwise. */
	private static final Duration RESET_IN_CLIENT_GO = Duration.ofMinutes(2);

	private final Map<Cause, Backoff> backoffs = new EnumMap<>(Cause.class);

	private final BackoffSettings settings;

	private final boolean shortcuts;

	private final TimeSource time;

	private final RandomGenerator random;

	private long heldUntil;

	private @Nullable Failure heldFor;

	private LoopDelays(BackoffSettings settings, boolean clientGo, TimeSource time, RandomGenerator random) {
		this.settings = settings;
		this.shortcuts = !clientGo && isStandard(settings);
		this.time = time;
		this.random = random;
		this.heldUntil = time.nanoTime();
		Backoff one = new Backoff(settings, time, random, clientGo);
		for (Cause cause : Cause.values()) {
			this.backoffs.put(cause, clientGo ? one : backoff(cause));
		}
	}

	static LoopDelays of(LoopSetup<?> setup) {
		boolean clientGo = setup.clientGo();
		BackoffSettings settings = setup.options().backoff();
		boolean unset = settings.resetAfter().equals(BackoffSettings.DEFAULT.resetAfter());
		return new LoopDelays((clientGo && unset) ? with(settings, settings.max(), RESET_IN_CLIENT_GO) : settings,
				clientGo, setup.time(), setup.random());
	}

	/** Whether the delays themselves are the default ones. */
	private static boolean isStandard(BackoffSettings settings) {
		BackoffSettings standard = BackoffSettings.DEFAULT;
		return settings.initial().equals(standard.initial()) && settings.max().equals(standard.max())
				&& settings.multiplier() == standard.multiplier();
	}

	private static BackoffSettings with(BackoffSettings settings, Duration max, Duration resetAfter) {
		return new BackoffSettings(settings.initial(), max, settings.multiplier(), settings.jitter(), resetAfter);
	}

	private Backoff backoff(Cause cause) {
		BackoffSettings own = (this.shortcuts && cause == Cause.REFUSED)
				? with(this.settings, REFUSED, this.settings.resetAfter()) : this.settings;
		return new Backoff(own, this.time, this.random, false);
	}

	/**
	 * Draws the delay after a failure.
	 * @param failure what has happened
	 * @param atLeast the least delay
	 * @return the delay
	 */
	Duration after(Failure failure, Duration atLeast) {
		Cause cause = Cause.of(failure);
		Backoff backoff = backoff(failure);
		int before = backoff.inARow();
		Duration drawn = backoff.next();
		if (this.shortcuts && cause == Cause.EXPIRED && before == 0) {
			return atLeastHeld(atLeast);
		}
		if (this.shortcuts && cause == Cause.BUSY && before < TAKEN_AT_THEIR_WORD) {
			return atLeastHeld(atTheirWord(atLeast));
		}
		return atLeastHeld((drawn.compareTo(atLeast) > 0) ? drawn : atLeast);
	}

	private Backoff backoff(Failure failure) {
		Backoff backoff = this.backoffs.get(Cause.of(failure));
		if (backoff == null) {
			throw new IllegalStateException("no back-off for " + failure);
		}
		return backoff;
	}

	/**
	 * A little later than the server asks for, so that not all clients come back at once.
	 */
	private Duration atTheirWord(Duration delay) {
		double jitter = this.random.nextDouble() * this.settings.jitter() * Math.min(delay.toNanos(), REFUSED.toNanos())
				/ 2;
		return delay.plusNanos((long) jitter);
	}

	/**
	 * Whether the reflectors of a server share one look whether it takes connections
	 * again, and have no delays of their own meanwhile.
	 * @param failure what has happened
	 */
	boolean isLookedAfter(Failure failure) {
		return this.shortcuts && failure.connectionRefused();
	}

	/**
	 * A request has failed beside a watch that goes on. Should that end soon, what comes
	 * next is to wait as it would after the failure.
	 * @param failure what has happened
	 */
	void hold(Failure failure) {
		hold(after(failure, failure.retryAfter()));
		this.heldFor = failure;
	}

	/** A request beside a watch that goes on was of no use. */
	void hold() {
		hold(spacing());
		this.heldFor = null;
	}

	private void hold(Duration delay) {
		this.heldUntil = this.time.nanoTime() + delay.toNanos();
	}

	/** Whether nothing is to be asked for just now. */
	boolean isHeld() {
		return held() > 0;
	}

	/** The failure that delays what comes next, if one does. */
	@Nullable Failure heldFor() {
		return isHeld() ? this.heldFor : null;
	}

	private long held() {
		return this.heldUntil - this.time.nanoTime();
	}

	private Duration atLeastHeld(Duration delay) {
		return Duration.ofNanos(Math.max(delay.toNanos(), held()));
	}

	/** All is well now. */
	void succeeded() {
		this.backoffs.values().forEach(Backoff::succeeded);
	}

	/** The least time between the starts of two streams when the first was short. */
	Duration spacing() {
		return atLeastHeld(other().spacing());
	}

	/** A moment to keep many clients apart that lost the same server. */
	Duration scatter() {
		return atLeastHeld(other().scatter());
	}

	/** The longest delay. */
	Duration longest() {
		return other().longest();
	}

	private Backoff other() {
		Backoff other = this.backoffs.get(Cause.OTHER);
		if (other == null) {
			throw new IllegalStateException("no back-off");
		}
		return other;
	}

	/** What a delay is for. */
	private enum Cause {

		/** The server takes no connections. */
		REFUSED,

		/** The server was not reached, or the connection broke. */
		UNREACHED,

		/** The server says when to come back. */
		BUSY,

		/** The server has forgotten the version. */
		EXPIRED,

		/** The server does not allow it, or does not have it. */
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
