package dev.reflector.cache;

import java.time.Duration;

import dev.reflector.cache.ReflectorOptions.Compatibility;

/**
 * The delays of a loop. An outage leaves no long delays for when the server answers
 * again: not to be reached and to be refused lengthen delays of their own, except in
 * client-go's mode.
 */
final class LoopDelays {

	private final Backoff answered;

	private final Backoff unreached;

	private LoopDelays(Backoff answered, Backoff unreached) {
		this.answered = answered;
		this.unreached = unreached;
	}

	static LoopDelays of(SharedInformer.Config<?> config) {
		boolean clientGo = config.options().compatibility() == Compatibility.CLIENT_GO;
		Backoff answered = backoff(config, clientGo);
		return new LoopDelays(answered, clientGo ? answered : backoff(config, false));
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
		return (drawn.compareTo(atLeast) > 0) ? drawn : atLeast;
	}

	/** All is well now. */
	void succeeded() {
		this.answered.succeeded();
		this.unreached.succeeded();
	}

	/** The least time between the starts of two streams when the first was short. */
	Duration spacing() {
		return this.answered.spacing();
	}

	/** A moment to keep many clients apart that lost the same server. */
	Duration scatter() {
		return this.answered.scatter();
	}

	/** The longest delay. */
	Duration longest() {
		return this.answered.longest();
	}

}
