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
 * Notices that the other side of one exchange has fallen silent (E-02), or that a frame
 * of it takes too long. Of silence, only counts time in which bytes are wanted: a slow
 * consumer does not make a dead server.
 */
public final class IdleDeadline {

	private final long responseTimeout;

	private final long idleTimeout;

	private final long frameTimeout;

	// the response itself is the first thing that is wanted
	private final AtomicLong wanted = new AtomicLong(1);

	private volatile long since = System.nanoTime();

	private volatile @Nullable OpenFrame frame;

	private volatile boolean opened;

	private volatile boolean ended;

	private volatile boolean expired;

	/**
	 * Begins to count.
	 * @param responseTimeout how long to wait for the response to begin
	 * @param idleTimeout how long to wait for more of it
	 * @param frameTimeout how long a frame of it may take
	 */
	public IdleDeadline(Duration responseTimeout, Duration idleTimeout, Duration frameTimeout) {
		this.responseTimeout = responseTimeout.toNanos();
		this.idleTimeout = idleTimeout.toNanos();
		this.frameTimeout = frameTimeout.toNanos();
	}

	/**
	 * The response has begun.
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
	 * Watches over the frames of the response: their bytes may come too slowly, or the
	 * server may have broken one off, and what follows looks like a part of it.
	 * @param frame knows the frame that is open
	 */
	public void over(OpenFrame frame) {
		this.frame = frame;
	}

	/**
	 * Whether a frame takes too long.
	 * @return whether that is why the exchange was given up, if it was
	 */
	public boolean isFrameOverdue() {
		return remainingForFrame() <= 0;
	}

	/**
	 * Watches over the bytes of the response.
	 * @param body the bytes
	 * @return the same bytes
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
	 * Gives an exchange up when nothing has come for too long.
	 * @param <R> what comes of the exchange
	 * @param exchange the exchange
	 * @param end how it ends then
	 * @return what comes of the exchange until then
	 */
	public <R> Flux<R> limit(Flux<R> exchange, Supplier<Mono<R>> end) {
		// the deadline completes and never fails: a failure of the other publisher would
		// leave the exchange open, with its connection and its buffers (reactor-core
		// #4230)
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
		// the response may begin meanwhile, and have less time from then on
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
		// who reads slowly what has come is no silent server
		if (this.ended || this.wanted.get() == 0) {
			return timeout;
		}
		return timeout - (System.nanoTime() - this.since);
	}

}
