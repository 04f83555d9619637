package dev.reflector.client.internal.exchange;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

import dev.reflector.cache.config.TimeSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Looks whether something has come, on behalf of all who wait for it: one look at a time,
 * about a second apart, and none when nobody waits. When it has come, those who wait go
 * on one after the other, so that they do not all make their requests in the same moment.
 */
final class SharedLook {

	private static final Duration DISTANCE = Duration.ofSeconds(1);

	/** The time between two of those who go on: a hundred requests in a second. */
	private static final Duration SPREAD = Duration.ofMillis(10);

	private final Supplier<Mono<Boolean>> look;

	private final TimeSource time;

	private final Set<MonoSink<Void>> waiters = ConcurrentHashMap.newKeySet();

	private boolean running;

	/**
	 * Describes the look.
	 * @param look tells whether it has come; an error counts as no
	 * @param time measures the distance
	 */
	SharedLook(Supplier<Mono<Boolean>> look, TimeSource time) {
		this.look = look;
		this.time = time;
	}

	/** Completes when it has come. A subscription that is cancelled waits no longer. */
	Mono<Void> await() {
		return Mono.create((sink) -> {
			this.waiters.add(sink);
			sink.onDispose(() -> this.waiters.remove(sink));
			begin();
		});
	}

	private synchronized void begin() {
		if (!this.running) {
			this.running = true;
			schedule();
		}
	}

	private void schedule() {
		// E-07: applications that lost the same server drift apart
		double jitter = 1 + ThreadLocalRandom.current().nextDouble() / 4;
		this.time.schedule(Duration.ofNanos((long) (DISTANCE.toNanos() * jitter)),
				() -> Mono.defer(this.look).onErrorReturn(false).defaultIfEmpty(false).subscribe((come) -> goOn(come)));
	}

	private void goOn(boolean come) {
		if (come) {
			release();
		}
		synchronized (this) {
			if (come || this.waiters.isEmpty()) {
				this.running = false;
			}
			else {
				schedule();
			}
		}
		// somebody may have begun to wait while it was released
		if (!this.waiters.isEmpty()) {
			begin();
		}
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
