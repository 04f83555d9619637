package dev.reflector.event;

import java.util.ArrayList;
import java.util.List;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.CalledListener;

import org.springframework.context.ApplicationEventPublisher;

/**
 * The delivery of one event to the listeners of the context, in one attempt or several. A
 * listener that has dealt with the event is not called again by a further attempt. Used
 * on one thread.
 */
final class Delivery implements DeliveryGuard.Attempt {

	private static final int MAX_SUPPRESSED = 100;

	/** The name of all that Spring calls by itself. */
	private static final String OTHERS = "of a kind that is not timed one by one";

	private final DeliveredEvent event;

	private final ApplicationEventPublisher publisher;

	private final SlowListeners slow;

	private final TimeSource time;

	private final Thread thread = Thread.currentThread();

	/** Those that have dealt with it. */
	private final List<GuardedListener> done = new ArrayList<>(2);

	/** Those that have failed in this attempt. */
	private final List<String> failed = new ArrayList<>(0);

	private final List<Throwable> failures = new ArrayList<>(0);

	/** How much of the attempt the listeners known by name have taken. */
	private long known;

	Delivery(DeliveredEvent event, ApplicationEventPublisher publisher, SlowListeners slow, TimeSource time) {
		this.event = event;
		this.publisher = publisher;
		this.slow = slow;
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
			// of a listener that no name is known of: those after it have not been called
			this.failures.add(ex);
		}
		finally {
			this.event.delivery(null);
			CalledListener.leave();
			this.slow.took(OTHERS, this.time.nanoTime() - start - this.known, this.event);
		}
		if (!this.failures.isEmpty()) {
			throw failure(this.failures);
		}
	}

	private static DeliveryGuard.AttemptFailedException failure(List<Throwable> failures) {
		Throwable first = failures.get(0);
		// a listener may throw the same one each time, which is not to grow for ever
		failures.stream()
			.skip(1)
			.filter((other) -> other != first)
			.limit(Math.max(0, MAX_SUPPRESSED - first.getSuppressed().length))
			.forEach(first::addSuppressed);
		return new DeliveryGuard.AttemptFailedException(first);
	}

	/** Calls a listener. When it throws, the listeners after it are still called. */
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
			// an interrupt that a listener leaves behind is not meant for the next one
			Thread.interrupted();
			CalledListener.enter(OTHERS);
			long taken = this.time.nanoTime() - start;
			this.known += taken;
			this.slow.took(listener.getListenerId(), taken, this.event);
		}
	}

	@Override
	public List<String> failed() {
		return List.copyOf(this.failed);
	}

}
