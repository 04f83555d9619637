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
import org.springframework.core.retry.RetryPolicy;
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

	private static final int MAX_CAUSES = 100;

	private final DeliveryPolicy policy;

	private final ApplicationEventPublisher publisher;

	private final TimeSource time;

	private final RetryPause pause;

	private final RateLimitedStackTraces traces;

	/** The delays between attempts, or {@code null} if there is only one attempt. */
	private final @Nullable BackOff delays;

	DeliveryGuard(DeliveryPolicy policy, ApplicationEventPublisher publisher, TimeSource time) {
		this.policy = policy;
		this.publisher = publisher;
		this.time = time;
		this.pause = new RetryPause(time);
		this.traces = new RateLimitedStackTraces(time);
		this.delays = (policy.onError() == DeliveryPolicy.OnError.RETRY
				|| policy.onError() == DeliveryPolicy.OnError.RETRY_THEN_STOP) ? delays(policy) : null;
	}

	private static BackOff delays(DeliveryPolicy policy) {
		RetryPolicy.Builder builder = RetryPolicy.builder()
			.maxRetries(policy.maxAttempts() - 1)
			.delay(policy.delay())
			.multiplier(policy.multiplier());
		if (!policy.maxDelay().isZero()) {
			// a largest delay of zero cannot be set; in this case, all delays are zero,
			// and no limit is needed
			builder.maxDelay(policy.maxDelay());
		}
		return builder.build().getBackOff();
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
		BackOffExecution delays = (this.delays != null) ? this.delays.start() : null;
		// only the last failure is kept, because there may be very many attempts
		for (int attempts = 1;; attempts++) {
			Throwable failure = failure(attempt);
			if (failure == null) {
				return;
			}
			if (delays == null) {
				throw giveUp(attempt.failed(), event, failure, attempts);
			}
			// clears the interrupt, because an interrupted thread cannot wait before the
			// next attempt
			Thread.interrupted();
			told.failed(failure);
			if (asksForTheEnd(failure) || !pass(delays.nextBackOff())) {
				// without a stop, an interrupt has ended the attempts, and none is left
				throw (attempts < this.policy.maxAttempts() && !(failure instanceof DeliveryStoppedException)
						&& this.pause.isClosed()) ? abandoned(attempt.failed(), event, failure, attempts)
								: giveUp(attempt.failed(), event, failure, attempts);
			}
			again(told, failure);
		}
	}

	private static @Nullable Throwable failure(Attempt attempt) {
		try {
			attempt.run();
			return null;
		}
		catch (Throwable ex) {
			return cause(ex);
		}
	}

	private static boolean asksForTheEnd(Throwable failure) {
		Throwable cause = failure;
		// limited, because causes may form a cycle
		for (int depth = 0; depth < MAX_CAUSES && cause != null; depth++) {
			if (cause instanceof DeliveryStoppedException) {
				return true;
			}
			cause = cause.getCause();
		}
		return false;
	}

	/** Waits before the next attempt. Returns {@code false} if there is none. */
	private boolean pass(long delay) {
		return delay != BackOffExecution.STOP && this.pause.pass(Duration.ofMillis(delay))
				&& !Thread.currentThread().isInterrupted();
	}

	private static void again(DeliveryAttempts told, Throwable failure) {
		try {
			told.again();
		}
		catch (CancellationException ex) {
			ex.initCause(failure);
			throw ex;
		}
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

	/** Thrown when an attempt has failed. The cause is the failure of a listener. */
	static final class AttemptFailedException extends RuntimeException {

		AttemptFailedException(Throwable cause) {
			super(cause);
		}

	}

}
