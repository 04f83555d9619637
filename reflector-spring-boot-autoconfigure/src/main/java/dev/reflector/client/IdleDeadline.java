package dev.reflector.client;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * Notices that the other side of one exchange has fallen silent (E-02). Only counts time
 * in which bytes are wanted: a slow consumer does not make a dead server.
 */
final class IdleDeadline {

	private final long timeout;

	// the response itself is the first thing that is wanted
	private final AtomicLong wanted = new AtomicLong(1);

	private volatile long since = System.nanoTime();

	private volatile boolean opened;

	IdleDeadline(Duration timeout) {
		this.timeout = timeout.toNanos();
	}

	/**
	 * The response has begun.
	 */
	void open() {
		this.opened = true;
		this.wanted.decrementAndGet();
	}

	boolean isOpened() {
		return this.opened;
	}

	/**
	 * Watches over the bytes of the response.
	 * @param body the bytes
	 * @return the same bytes
	 */
	Flux<byte[]> over(Flux<byte[]> body) {
		return body.doOnRequest((count) -> {
			if (this.wanted.getAndAccumulate(count, Operators::addCap) == 0) {
				this.since = System.nanoTime();
			}
		}).doOnNext((bytes) -> {
			this.since = System.nanoTime();
			if (this.wanted.get() != Long.MAX_VALUE) {
				this.wanted.decrementAndGet();
			}
		});
	}

	/**
	 * Completes when nothing has come for too long.
	 * @return the end of patience
	 */
	Mono<Void> expired() {
		return Mono.defer(() -> Mono.delay(Duration.ofNanos(Math.max(remaining(), 1))))
			.repeat()
			.takeUntil((tick) -> remaining() <= 0)
			.then();
	}

	private long remaining() {
		if (this.wanted.get() == 0) {
			return this.timeout;
		}
		return this.timeout - (System.nanoTime() - this.since);
	}

}
