package dev.reflector.event;

import java.util.ArrayList;
import java.util.List;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.CalledListener;
import dev.reflector.cache.internal.call.ListenerCall;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Delivers one event to the listeners of the context, in one or several attempts. Each
 * attempt calls only the listeners that have not succeeded yet. Used by one thread.
 */
final class Delivery implements DeliveryGuard.Attempt {

	private static final int MAX_SUPPRESSED = 100;

	/**
	 * Name in warnings for the listeners that Spring calls directly, and that are not
	 * timed one by one.
	 */
	private static final String OTHERS = "(one that is not timed separately)";

	private final DeliveredEvent event;

	private final ApplicationEventPublisher publisher;

	private final TimeSource time;

	private final Thread thread = Thread.currentThread();

	/** The listeners that have succeeded. */
	private final List<GuardedListener> done = new ArrayList<>(2);

	/** Names of the listeners that have failed in this attempt. */
	private final List<String> failed = new ArrayList<>(0);

	private final List<Throwable> failures = new ArrayList<>(0);

	/**
	 * How long the listeners that this delivery calls have taken in this attempt, in
	 * nanoseconds.
	 */
	private long known;

	Delivery(DeliveredEvent event, ApplicationEventPublisher publisher, TimeSource time) {
		this.event = event;
		this.publisher = publisher;
		this.time = time;
	}

	@Override
	public void run() {
		this.failed.clear();
		this.failures.clear();
		this.known = 0;
		long start = this.time.nanoTime();
		this.event.delivery(this::call);
		CalledListener.enter(OTHERS);
		try {
			this.publisher.publishEvent(this.event);
		}
		catch (Throwable ex) {
			// the exception is from a listener that Spring calls directly, so the
			// listeners after that one were not called
			this.failures.add(ex);
		}
		finally {
			this.event.delivery(null);
			CalledListener.leave();
			ListenerCall.took(OTHERS, this.time.nanoTime() - start - this.known, this.event);
		}
		if (!this.failures.isEmpty()) {
			throw failure(this.failures);
		}
	}

	private static DeliveryGuard.AttemptFailedException failure(List<Throwable> failures) {
		Throwable first = failures.get(0);
		// limits the suppressed exceptions, because a listener may throw the same
		// exception object each time
		failures.stream()
			.skip(1)
			.filter((other) -> other != first)
			.limit(Math.max(0, MAX_SUPPRESSED - first.getSuppressed().length))
			.forEach(first::addSuppressed);
		return new DeliveryGuard.AttemptFailedException(first);
	}

	/**
	 * Calls a listener and notes its failure, so that the next listeners are still
	 * called.
	 */
	private void call(GuardedListener listener) {
		if (this.thread != Thread.currentThread()) {
			// an asynchronous listener: this delivery does not wait for it
			listener.handle(this.event);
			return;
		}
		if (this.done.contains(listener)) {
			return;
		}
		CalledListener.enter(listener.getListenerId());
		long start = this.time.nanoTime();
		try {
			listener.handle(this.event);
			this.done.add(listener);
		}
		catch (Throwable ex) {
			this.failed.add(listener.getListenerId());
			this.failures.add(ex);
		}
		finally {
			// clears the interrupt, so that the next listener does not see it
			Thread.interrupted();
			CalledListener.enter(OTHERS);
			long taken = this.time.nanoTime() - start;
			this.known += taken;
			ListenerCall.took(listener.getListenerId(), taken, this.event);
		}
	}

	@Override
	public List<String> failed() {
		return List.copyOf(this.failed);
	}

}
