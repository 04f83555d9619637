package dev.reflector.client.internal.exchange;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.reflector.cache.config.TimeSource;
import reactor.core.publisher.Mono;

/**
 * Repeats a request with growing delays while there are waiting callers. Never sends two
 * requests at the same time.
 */
public final class SharedPoll {

	private final Supplier<Mono<Void>> request;

	private final BooleanSupplier wanted;

	private final Duration first;

	private final Duration longest;

	private final TimeSource time;

	private boolean running;

	private Duration delay;

	/**
	 * Creates a poll.
	 * @param request sends the request and notifies the waiting callers; its errors are
	 * ignored
	 * @param wanted returns whether there are waiting callers
	 * @param first the delay before the first request; the delay is doubled after each
	 * request
	 * @param longest the longest delay
	 * @param time schedules the requests
	 */
	public SharedPoll(Supplier<Mono<Void>> request, BooleanSupplier wanted, Duration first, Duration longest,
			TimeSource time) {
		this.request = request;
		this.wanted = wanted;
		this.first = first;
		this.longest = longest;
		this.time = time;
		this.delay = first;
	}

	/**
	 * Starts the poll if it is not running. Must be called for each new waiting caller,
	 * after {@code wanted} has become {@code true}.
	 */
	public synchronized void start() {
		if (!this.running) {
			this.running = true;
			this.delay = this.first;
			schedule();
		}
	}

	private void schedule() {
		// E-07: random, so that applications that have failed or started at the same time
		// do not send their requests at the same time
		double jitter = 1 + ThreadLocalRandom.current().nextDouble() / 4;
		Duration next = Duration.ofNanos((long) (this.delay.toNanos() * jitter));
		Duration doubled = this.delay.multipliedBy(2);
		this.delay = (doubled.compareTo(this.longest) < 0) ? doubled : this.longest;
		this.time.schedule(next, () -> Mono.defer(this.request).subscribe(null, (ex) -> goOn(), this::goOn));
	}

	private synchronized void goOn() {
		if (this.wanted.getAsBoolean()) {
			schedule();
		}
		else {
			this.running = false;
		}
	}

}
