package dev.reflector.client.internal.exchange;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.reflector.cache.config.TimeSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Checks about once a second whether a failure is over, while there are waiting callers.
 * When the failure is over, lets the callers proceed one after another, so that their
 * requests do not all come at once.
 */
final class RecoveryPoll {

	private static final Duration DISTANCE = Duration.ofSeconds(1);

	/**
	 * The time between letting one waiting caller proceed and letting the next one
	 * proceed. It limits the rate to a hundred requests per second.
	 */
	private static final Duration SPREAD = Duration.ofMillis(10);

	private final TimeSource time;

	private final SharedPoll poll;

	private final Set<MonoSink<Void>> waiters = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the poll.
	 * @param over checks whether the failure is over; an error counts as {@code false}
	 * @param time schedules the checks
	 */
	RecoveryPoll(Supplier<Mono<Boolean>> over, TimeSource time) {
		this.time = time;
		this.poll = new SharedPoll(
				() -> Mono.defer(over).filter(Boolean::booleanValue).doOnNext((yes) -> release()).then(),
				() -> !this.waiters.isEmpty(), DISTANCE, DISTANCE, time);
	}

	/** Returns a publisher that completes when the failure is over. */
	Mono<Void> await() {
		return Mono.create((sink) -> {
			this.waiters.add(sink);
			sink.onDispose(() -> this.waiters.remove(sink));
			this.poll.start();
		});
	}

	private void release() {
		List<MonoSink<Void>> released = new ArrayList<>(this.waiters);
		released.forEach(this.waiters::remove);
		Collections.shuffle(released);
		for (int i = 0; i < released.size(); i++) {
			MonoSink<Void> waiter = released.get(i);
			if (i == 0) {
				waiter.success();
			}
			else {
				this.time.schedule(SPREAD.multipliedBy(i), waiter::success);
			}
		}
	}

}
