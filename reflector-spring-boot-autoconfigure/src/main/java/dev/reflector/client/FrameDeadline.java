package dev.reflector.client;

import java.time.Duration;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;

/**
 * Gives a watch up when one of its frames does not end: because its bytes come too
 * slowly, or because the server has broken it off and what follows looks like a part of
 * it. Time in which no frame is open does not count.
 */
final class FrameDeadline {

	private final OpenFrame frame;

	private final Duration timeout;

	private volatile boolean expired;

	FrameDeadline(OpenFrame frame, Duration timeout) {
		this.frame = frame;
		this.timeout = timeout;
	}

	/**
	 * Watches over the bytes of a watch.
	 * @param body the bytes
	 * @return the same bytes, which fail with a {@link MalformedResponseException} when a
	 * frame takes too long
	 */
	Flux<DataBuffer> over(Flux<DataBuffer> body) {
		// completes and never fails: a failure of the other publisher would leave the
		// body open (reactor-core #4230)
		return body.takeUntilOther(expired()).concatWith(Mono.defer(() -> this.expired ? overdue() : Mono.empty()));
	}

	private Mono<DataBuffer> overdue() {
		return Mono.error(new MalformedResponseException("an event that has begun has not ended within "
				+ this.timeout.toMillis() + " ms (reflector.api-server.event-timeout)"));
	}

	private Mono<Void> expired() {
		return Mono.defer(() -> Mono.delay(Duration.ofNanos(Math.max(remaining(), 1))))
			.repeat()
			.takeUntil((tick) -> remaining() <= 0)
			.doOnComplete(() -> this.expired = true)
			.then();
	}

	private long remaining() {
		return this.timeout.toNanos() - this.frame.nanos();
	}

}
