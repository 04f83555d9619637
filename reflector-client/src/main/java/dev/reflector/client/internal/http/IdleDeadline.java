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
 * Ends one exchange when the server is silent for too long (E-02), or when a frame takes
 * too long. Silence counts only while bytes are requested, so that a slow subscriber does
 * not make the server look dead.
 */
public final class IdleDeadline {

	private final long responseTimeout;

	private final long idleTimeout;

	private final long frameTimeout;

	// starts at 1: the start of the response is requested
	private final AtomicLong wanted = new AtomicLong(1);

	private volatile long since = System.nanoTime();

	private volatile @Nullable OpenFrame frame;

	private volatile boolean opened;

	private volatile boolean ended;

	private volatile boolean expired;

	/**
	 * Starts the deadline for the response.
	 * @param responseTimeout how long to wait for the response to begin
	 * @param idleTimeout how long to wait for more of the response
	 * @param frameTimeout how long one frame may take
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
	 * Limits the time of each frame. The bytes of a frame may come too slowly, or the
	 * server may have cut the frame off, so that the next frames look like a part of it.
	 * @param frame measures the open frame
	 */
	public void over(OpenFrame frame) {
		this.frame = frame;
	}

	/**
	 * Whether the exchange has ended because a frame took too long.
	 * @return whether this is the reason for the end
	 */
	public boolean isFrameOverdue() {
		return remainingForFrame() <= 0;
	}

	/**
	 * Observes the requests for bytes and their arrival.
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
	 * Ends an exchange at its deadline.
	 * @param <R> the type of the results
	 * @param exchange the exchange
	 * @param end how it ends at the deadline
	 * @return the exchange with the deadline
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
		// the response may begin in the meantime, and then has the shorter idle timeout
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
		// nothing is requested: the subscriber is slow, not the server
		if (this.ended || this.wanted.get() == 0) {
			return timeout;
		}
		return timeout - (System.nanoTime() - this.since);
	}

}
