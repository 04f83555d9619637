package dev.reflector.event;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.DeliveryStoppedException;
import dev.reflector.cache.internal.delivery.DeliveryAbandonedException;
import dev.reflector.cache.internal.delivery.RateLimitedStackTraces;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.core.retry.Retryable;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Delivers a change in as many attempts as the policy allows. If the last attempt fails,
 * the guard publishes a dead letter. It also throws an exception, so that the reflector
 * counts the failure. If attempts are left, but are not made because another replica
 * delivers now, there is no dead letter. If they are not made because of a stop, there is
 * one only if the change does not come again. Each handler has its own guard.
 */
final class DeliveryGuard {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private final DeliveryPolicy policy;

	private final ApplicationEventPublisher publisher;

	private final TimeSource time;

	private final RetryPause pause;

	private final RateLimitedStackTraces traces;

	private final @Nullable RetryTemplate retries;

	DeliveryGuard(DeliveryPolicy policy, ApplicationEventPublisher publisher, TimeSource time) {
		this.policy = policy;
		this.publisher = publisher;
		this.time = time;
		this.pause = new RetryPause(time);
		this.traces = new RateLimitedStackTraces(time);
		this.retries = (policy.onError() == DeliveryPolicy.OnError.RETRY
				|| policy.onError() == DeliveryPolicy.OnError.RETRY_THEN_STOP) ? retries(policy, this.pause) : null;
	}

	private static RetryTemplate retries(DeliveryPolicy policy, RetryPause pause) {
		RetryPolicy.Builder builder = RetryPolicy.builder()
			.maxRetries(policy.maxAttempts() - 1)
			.delay(policy.delay())
			.multiplier(policy.multiplier());
		if (!policy.maxDelay().isZero()) {
			// a largest delay of zero cannot be set; in this case, all delays are zero,
			// and no limit is needed
			builder.maxDelay(policy.maxDelay());
		}
		BackOff delays = builder.build().getBackOff();
		return new RetryTemplate(RetryPolicy.builder()
			.backOff(() -> new Waiting(delays.start(), pause))
			.excludes(List.of(DeliveryStoppedException.class, AttemptCancelledException.class))
			.build());
	}

	void start() {
		this.pause.open();
	}

	void stop() {
		this.pause.close();
		this.traces.flush();
	}

	/**
	 * Makes attempts until one succeeds or none is left.
	 * @param attempt makes one attempt
	 * @param event supplies the event for a dead letter, or {@code null} if no dead
	 * letter should be published
	 * @param told receives a report of each failed attempt, if the policy allows several
	 * attempts
	 * @throws DeliveryAbandonedException if a stop has ended the attempts
	 * @throws CancellationException if another replica delivers the change now
	 * @throws RuntimeException if no attempt has succeeded
	 */
	void deliver(Attempt attempt, @Nullable Supplier<? extends ResourceEvent<?>> event, DeliveryAttempts told) {
		int attempts = 1;
		Throwable failure;
		try {
			if (this.retries == null) {
				attempt.run();
			}
			else {
				this.retries.execute(new Repeated(attempt, told));
			}
			return;
		}
		catch (RetryException ex) {
			if (ex.getLastException() instanceof AttemptCancelledException cancelled) {
				throw cancelled.reason;
			}
			attempts = ex.getRetryCount() + 1;
			failure = cause(ex.getLastException());
			// without a stop, an interrupt has ended the attempts, and none is left
			if (attempts < this.policy.maxAttempts() && !(failure instanceof DeliveryStoppedException)
					&& this.pause.isClosed()) {
				throw abandoned(attempt.failed(), event, failure, attempts);
			}
		}
		catch (Throwable ex) {
			failure = cause(ex);
		}
		throw giveUp(attempt.failed(), event, failure, attempts);
	}

	private DeliveryAbandonedException abandoned(List<String> listeners,
			@Nullable Supplier<? extends ResourceEvent<?>> event, Throwable failure, int attempts) {
		return new DeliveryAbandonedException(failed(listeners, attempts, failure), failure,
				() -> giveUp(listeners, event, failure, attempts));
	}

	private static Throwable cause(Throwable failure) {
		Throwable cause = failure.getCause();
		return (failure instanceof AttemptFailedException && cause != null) ? cause : failure;
	}

	/** Publishes a dead letter, and returns the exception that ends the delivery. */
	private RuntimeException giveUp(List<String> listeners, @Nullable Supplier<? extends ResourceEvent<?>> event,
			Throwable failure, int attempts) {
		if (event != null) {
			bury(new ResourceDeadLetterEvent<>(event.get(), failure, listeners, attempts));
		}
		if (failure instanceof DeliveryStoppedException asked) {
			return asked;
		}
		if (!this.policy.onError().isLossy()) {
			return new DeliveryStoppedException(names(listeners) + " failed"
					+ ((attempts > 1) ? " in " + attempts + " attempts" : "") + " with " + failure.getClass().getName(),
					failure);
		}
		return new ListenerFailedException(failed(listeners, attempts, failure), failure);
	}

	private static String failed(List<String> listeners, int attempts, Throwable failure) {
		String thrown = failure.getClass().getSimpleName()
				+ ((failure.getMessage() != null) ? ": " + failure.getMessage() : "");
		return names(listeners) + ((attempts > 1) ? " failed in " + attempts + " attempts: " : " threw ") + thrown;
	}

	private static String names(List<String> listeners) {
		return listeners.isEmpty() ? "a listener" : String.join(", ", listeners);
	}

	/** Delivers a dead letter. If its listeners fail, the failure is only logged. */
	private void bury(ResourceDeadLetterEvent<?> letter) {
		try {
			new Delivery(letter, this.publisher, this.time).run();
		}
		catch (Throwable ex) {
			ResourceEvent<?> event = letter.event();
			this.traces.log(
					logger.atError()
						.addKeyValue("reflector", event.reflectorName())
						.addKeyValue("reason", "ListenerFailed")
						.addKeyValue("key", event.key()),
					cause(ex), "Reflector '{}': a listener failed on {}", event.reflectorName(), letter);
		}
	}

	/** A function that makes one attempt to deliver, and can be called again. */
	interface Attempt {

		void run();

		/** Returns the names of the listeners that have failed in the last attempt. */
		List<String> failed();

	}

	/** The task that makes one attempt. Spring repeats this task. */
	private static final class Repeated implements Retryable<Boolean> {

		private final Attempt attempt;

		private final DeliveryAttempts told;

		/** The failure of the last attempt, or {@code null} if none has failed. */
		private @Nullable Throwable failure;

		Repeated(Attempt attempt, DeliveryAttempts told) {
			this.attempt = attempt;
			this.told = told;
		}

		@Override
		public Boolean execute() {
			Throwable failure = this.failure;
			if (failure != null) {
				again(failure);
			}
			try {
				this.attempt.run();
				return true;
			}
			catch (Throwable ex) {
				this.failure = ex;
				// clears the interrupt, because an interrupted thread cannot wait before
				// the next attempt
				Thread.interrupted();
				this.told.failed(cause(ex));
				throw ex;
			}
		}

		private void again(Throwable failure) {
			try {
				this.told.again();
			}
			catch (CancellationException ex) {
				ex.initCause(cause(failure));
				throw new AttemptCancelledException(ex);
			}
		}

	}

	/** Ends the attempts, because another replica delivers the change now. */
	private static final class AttemptCancelledException extends RuntimeException {

		private final CancellationException reason;

		AttemptCancelledException(CancellationException reason) {
			super(reason);
			this.reason = reason;
		}

	}

	/** Thrown when an attempt has failed. The cause is the failure of a listener. */
	static final class AttemptFailedException extends RuntimeException {

		AttemptFailedException(Throwable cause) {
			super(cause);
		}

	}

	/**
	 * A back-off that waits in {@code nextBackOff}, and then returns 0, so that Spring's
	 * template does not wait. A wait of the template could be ended only by an interrupt,
	 * which a listener might see.
	 */
	private record Waiting(BackOffExecution delays, RetryPause pause) implements BackOffExecution {

		@Override
		public long nextBackOff() {
			long delay = this.delays.nextBackOff();
			return (delay == STOP || !this.pause.pass(Duration.ofMillis(delay))) ? STOP : 0;
		}

	}

}
