package dev.reflector.sharding.membership;

import java.time.Duration;
import java.util.random.RandomGenerator;

import dev.reflector.cache.config.TimeSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;

/**
 * Runs one round after the other, from a start of the membership to its end. The next
 * round begins when a pause has passed since the last round, or when the loop is woken.
 * If the loop is woken during a round, the next round begins as soon as that round has
 * ended. A late timer has no effect on a round that has already begun, so there are never
 * two rounds at the same time.
 */
final class RoundLoop {

	private static final Logger logger = LoggerFactory.getLogger(ShardMembership.class);

	/** The most that is added to a pause at random, as a fraction of the retry period. */
	private static final double JITTER = 0.2;

	private final TimeSource time;

	private final RandomGenerator random;

	private final Duration retryPeriod;

	private final Disposable.Swap rounds = Disposables.swap();

	/** Completes when the next round is due. */
	private Sinks.Empty<Void> due = Sinks.empty();

	RoundLoop(TimeSource time, RandomGenerator random, Duration retryPeriod) {
		this.time = time;
		this.random = random;
		this.retryPeriod = retryPeriod;
	}

	/**
	 * Begins the first round at once.
	 * @param round one round; if it fails, this is logged, and the next round follows
	 */
	void start(Mono<Void> round) {
		this.rounds.update(Mono.fromRunnable(this::begin)
			.then(completing(round))
			.then(Mono.defer(this::pause))
			.repeat(() -> !hasEnded())
			.subscribe());
	}

	/**
	 * Returns a round that completes even if it throws an error of the JVM, which Reactor
	 * does not pass on. Then the round is canceled, because a request of it may be
	 * answered during the next round.
	 */
	private static Mono<Void> completing(Mono<Void> round) {
		return Mono.create((sink) -> {
			try {
				round.doOnSubscribe((subscription) -> sink.onDispose(subscription::cancel))
					.subscribe(null, (failure) -> failed(sink, failure), sink::success);
			}
			catch (RuntimeException | Error ex) {
				failed(sink, ex);
			}
		});
	}

	private static void failed(MonoSink<Void> sink, Throwable failure) {
		try {
			logger.warn("A round of the shard membership has failed. The next round follows", failure);
		}
		finally {
			// without memory, the log line may fail, too
			sink.success();
		}
	}

	private synchronized void begin() {
		this.due = Sinks.empty();
	}

	private Mono<Void> pause() {
		Sinks.Empty<Void> due = due();
		double pause = 1 + JITTER * this.random.nextDouble();
		Runnable timer = this.time.schedule(Duration.ofNanos((long) (pause * this.retryPeriod.toNanos())),
				due::tryEmitEmpty);
		return due.asMono().doFinally((signal) -> timer.run());
	}

	private synchronized Sinks.Empty<Void> due() {
		return this.due;
	}

	/** Makes the next round begin at once, or right after the round in progress. */
	void wake() {
		// on another thread, because the caller may hold a lock
		this.time.schedule(Duration.ZERO, due()::tryEmitEmpty);
	}

	void end() {
		this.rounds.dispose();
	}

	/** Whether the loop has ended, so that late responses must be ignored. */
	boolean hasEnded() {
		return this.rounds.isDisposed();
	}

}
