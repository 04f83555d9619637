package dev.reflector.internal.lease;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.source.JvmFailureException;
import org.slf4j.Logger;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Limits the time of requests about Leases to a part of the renew deadline, so that no
 * replica loses its Lease because of one request without a response.
 */
public final class LeaseRequests {

	private final TimeSource time;

	private final Duration timeout;

	private final Context givenUp;

	public LeaseRequests(TimeSource time, Duration timeout, Logger logger) {
		this.time = time;
		this.timeout = timeout;
		this.givenUp = Context.of("reactor.onErrorDropped.local", (Consumer<Throwable>) (failure) -> logger
			.debug("A request for a Lease has failed after it was canceled", failure));
	}

	/** Makes a request that fails if the server does not answer in time. */
	public <T> Mono<T> limited(Supplier<Mono<T>> request) {
		Mono<T> tooLate = Mono.create((sink) -> {
			Runnable cancel = this.time.schedule(this.timeout,
					() -> sink.error(new TimeoutException("no answer within " + this.timeout.toMillis() + " ms")));
			sink.onDispose(cancel::run);
		});
		Mono<T> answer = Mono.defer(() -> passingOn(request));
		return Mono.firstWithSignal(answer, tooLate).contextWrite(this.givenUp);
	}

	/**
	 * Calls a function that a Mono uses. Wraps an error of the JVM, which Reactor would
	 * throw instead of passing it on.
	 */
	public static <R> R passingOn(Supplier<R> function) {
		try {
			return function.get();
		}
		catch (Error ex) {
			if (JvmFailureException.passable(ex) instanceof JvmFailureException wrapped) {
				throw wrapped;
			}
			throw ex;
		}
	}

}
