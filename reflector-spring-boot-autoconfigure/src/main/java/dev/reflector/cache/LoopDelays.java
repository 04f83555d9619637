package dev.reflector.cache;

import java.time.Duration;

import dev.reflector.cache.ReflectorOptions.Compatibility;
import org.jspecify.annotations.Nullable;

/**
 * The delays of a loop. An outage leaves no long delays for when the server answers
 * again: not to be reached and to be refused lengthen delays of their own, except in
 * client-go's mode.
 */
final class LoopDelays {

	private final Backoff answered;

	private final Backoff unreached;

	private final TimeSource time;

	private long heldUntil;

	private @Nullable Failure heldFor;

	private LoopDelays(Backoff answered, Backoff unreached, TimeSource time) {
		this.answered = answered;
		this.unreached = unreached;
		this.time = time;
		this.heldUntil = time.nanoTime();
	}

	static LoopDelays of(SharedInformer.Config<?> config) {
		boolean clientGo = config.options().compatibility() == Compatibility.CLIENT_GO;
		Backoff answered = backoff(config, clientGo);
		return new LoopDelays(answered, clientGo ? answered : backoff(config, false), config.time());
	}

	private static Backoff backoff(SharedInformer.Config<?> config, boolean clientGo) {
		return new Backoff(config.options().backoff(), config.time(), config.random(), clientGo);
	}

	/**
	 * Draws the delay after a failure.
	 * @param failure what has happened
	 * @param atLeast the least delay
	 * @return the delay
	 */
	Duration after(Failure failure, Duration atLeast) {
		Duration drawn = (failure.transport() ? this.unreached : this.answered).next();
		return atLeastHeld((drawn.compareTo(atLeast) > 0) ? drawn : atLeast);
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
		this.answered.succeeded();
		this.unreached.succeeded();
	}

	/** The least time between the starts of two streams when the first was short. */
	Duration spacing() {
		return atLeastHeld(this.answered.spacing());
	}

	/** A moment to keep many clients apart that lost the same server. */
	Duration scatter() {
		return atLeastHeld(this.answered.scatter());
	}

	/** The longest delay. */
	Duration longest() {
		return this.answered.longest();
	}

}
