package dev.reflector.client.internal.http;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import dev.reflector.client.internal.frame.OpenFrame;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

import org.springframework.core.io.buffer.DataBuffer;

/**
 * Ends one exchange if the server is silent for too long (E-02), or if a frame is
 * incomplete for too long. The time of silence counts only while the subscriber requests
 * bytes, so that a slow subscriber does not make the server look dead.
 */
public final class IdleDeadline {

	private final long responseTimeout;

	private final long idleTimeout;

	private final long frameTimeout;

	// initially 1, because the request itself asks for the start of the response
	private final AtomicLong wanted = new AtomicLong(1);

	private volatile long since = System.nanoTime();

	private volatile @Nullable OpenFrame frame;

	private volatile boolean opened;

	private volatile boolean ended;

	private volatile boolean expired;

	/**
	 * Creates a deadline that starts to wait for the response.
	 * @param responseTimeout the longest time until the response begins
	 * @param idleTimeout the longest time between two buffers of the response
	 * @param frameTimeout the longest time for which a frame may be incomplete
	 */
	public IdleDeadline(Duration responseTimeout, Duration idleTimeout, Duration frameTimeout) {
		this.responseTimeout = responseTimeout.toNanos();
		this.idleTimeout = idleTimeout.toNanos();
		this.frameTimeout = frameTimeout.toNanos();
	}

	/**
	 * Records that the response has begun.
	 */
	public void open() {
		this.wanted.decrementAndGet();
		this.since = System.nanoTime();
		this.opened = true;
	}

	public boolean isOpened() {
		return this.opened;
	}

	/**
	 * Limits the time for which a frame may be incomplete. A frame stays incomplete if
	 * its bytes arrive too slowly. It also stays incomplete if the server has sent only a
	 * part of it, because the next frames then look like the rest of it.
	 * @param frame measures how long the current frame has been incomplete
	 */
	public void over(OpenFrame frame) {
		this.frame = frame;
	}

	/**
	 * Returns whether a frame has been incomplete for too long.
	 * @return {@code true} if this is why the exchange has ended
	 */
	public boolean isFrameOverdue() {
		return remainingForFrame() <= 0;
	}

	/**
	 * Observes when the subscriber requests buffers, and when buffers arrive.
	 * @param body the buffers of the body
	 * @return the same buffers
	 */
	public Flux<DataBuffer> over(Flux<DataBuffer> body) {
		return body.doOnRequest((count) -> {
			if (this.wanted.getAndAccumulate(count, Operators::addCap) == 0) {
				this.since = System.nanoTime();
			}
		}).doOnNext((buffer) -> {
			this.since = System.nanoTime();
			if (this.wanted.get() != Long.MAX_VALUE) {
				this.wanted.decrementAndGet();
			}
		}).doOnTerminate(() -> this.ended = true);
	}

	/**
	 * Ends an exchange at its deadline.
	 * @param <R> the type of the results
	 * @param exchange the exchange
	 * @param end called if the deadline has passed; returns how the exchange ends, such
	 * as an error
	 * @return the exchange with the deadline
	 */
	public <R> Flux<R> limit(Flux<R> exchange, Supplier<Mono<R>> end) {
		// the publisher of the deadline completes and never fails, because a failure
		// would leave the exchange open, with its connection and its buffers
		// (reactor-core #4230)
		return exchange.takeUntilOther(expired()).concatWith(Mono.defer(() -> this.expired ? end.get() : Mono.empty()));
	}

	private Mono<Void> expired() {
		return Mono.defer(() -> Mono.delay(Duration.ofNanos(Math.max(untilNextLook(), 1))))
			.repeat()
			.takeUntil((tick) -> remaining() <= 0)
			.doOnComplete(() -> this.expired = true)
			.then();
	}

	private long untilNextLook() {
		// if the response begins during this wait, the idle timeout applies, which may be
		// shorter than the response timeout
		return Math.min(this.frameTimeout, this.opened ? remaining() : Math.min(remaining(), this.idleTimeout));
	}

	private long remaining() {
		return Math.min(remainingSilence(), remainingForFrame());
	}

	private long remainingForFrame() {
		OpenFrame frame = this.frame;
		return (frame != null) ? this.frameTimeout - frame.nanos() : Long.MAX_VALUE;
	}

	private long remainingSilence() {
		long timeout = this.opened ? this.idleTimeout : this.responseTimeout;
		// while the subscriber requests no element, the subscriber is slow, not the
		// server
		if (this.ended || this.wanted.get() == 0) {
			return timeout;
		}
		return timeout - (System.nanoTime() - this.since);
	}

}
