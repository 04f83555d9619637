package dev.reflector.event;

import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes events of a leader election and of slots, and calls their listeners on the
 * thread that publishes. When a listener throws, that is logged, and the listeners after
 * it are still called, if the event is one of this library and a
 * {@link ReflectorEventListenerFactory} or {@link ReflectorListenerBeans} has created the
 * listener. One that does not return is named. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ReplicaEventPublisher {

	private static final Logger logger = LoggerFactory.getLogger(ReplicaEventPublisher.class);

	private static final Duration DISTANCE = Duration.ofMinutes(1);

	private final ApplicationEventPublisher publisher;

	private final Duration warnAfter;

	private final Duration busyAfter;

	private final TimeSource time;

	private final Set<Call> calls = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the publisher.
	 * @param publisher where to publish
	 * @param warnAfter how long a listener may take before a warning names it; zero for
	 * no warning
	 * @param busyAfter how long a listener may take before it counts as busy
	 * @param time source of time
	 */
	public ReplicaEventPublisher(ApplicationEventPublisher publisher, Duration warnAfter, Duration busyAfter,
			TimeSource time) {
		this.publisher = publisher;
		this.warnAfter = warnAfter;
		this.busyAfter = busyAfter;
		this.time = time;
	}

	/**
	 * Calls the listeners of an event. Throws nothing that they throw.
	 * @param event the event
	 * @param waiting what is delayed until the listeners have returned, for a warning
	 */
	public void publish(ApplicationEvent event, String waiting) {
		Call call = new Call(event, Thread.currentThread(), this.time.nanoTime());
		DeliveredEvent delivered = (event instanceof DeliveredEvent ofReflectors) ? ofReflectors : null;
		this.calls.add(call);
		Runnable watch = this.warnAfter.isZero() ? () -> {
		} : this.time.schedule(this.warnAfter, () -> warn(call, waiting));
		if (delivered != null) {
			delivered.delivery(call::pass);
		}
		try {
			this.publisher.publishEvent(event);
		}
		catch (RuntimeException | Error ex) {
			logger.error("A listener has failed with {}. The listeners after it were not called", text(event), ex);
		}
		finally {
			if (delivered != null) {
				delivered.delivery(null);
			}
			this.calls.remove(call);
			watch.run();
		}
	}

	private void warn(Call call, String waiting) {
		if (this.calls.contains(call)) {
			logger.warn("The listener {} is still busy with {} after {} s. Until it returns, {}", call.listener(),
					text(call.event), seconds(taken(call)), waiting);
			this.time.schedule(DISTANCE, () -> warn(call, waiting));
		}
	}

	private long taken(Call call) {
		return this.time.nanoTime() - call.since;
	}

	private static String seconds(long nanos) {
		return String.format(Locale.ROOT, "%.1f", nanos / 1e9);
	}

	/** An event of another library may have a long text. */
	private static String text(ApplicationEvent event) {
		return (event instanceof DeliveredEvent) ? event.toString() : event.getClass().getSimpleName();
	}

	/**
	 * The listener that has not returned for the longest time.
	 * @return its name and its event, empty when none is busy
	 */
	public Optional<String> busy() {
		return this.calls.stream()
			.filter((call) -> taken(call) >= this.busyAfter.toNanos())
			.max(Comparator.comparingLong(this::taken))
			.map((call) -> call.listener() + " with " + text(call.event));
	}

	/** An event whose listeners are called. */
	private static final class Call {

		private final ApplicationEvent event;

		private final Thread thread;

		private final long since;

		/** The listener that is called, {@code null} when Spring calls it directly. */
		private volatile @Nullable String listener;

		Call(ApplicationEvent event, Thread thread, long since) {
			this.event = event;
			this.thread = thread;
			this.since = since;
		}

		String listener() {
			String listener = this.listener;
			return (listener != null) ? listener : ListenerInCall.name(this.thread);
		}

		/** An asynchronous listener is not waited for. */
		void pass(GuardedListener listener) {
			if (this.thread != Thread.currentThread()) {
				listener.handle(this.event);
				return;
			}
			this.listener = listener.getListenerId();
			try {
				listener.handle(this.event);
			}
			catch (RuntimeException | Error ex) {
				logger.error("The listener {} has failed with {}", listener.getListenerId(), this.event, ex);
			}
			finally {
				// clears an interrupt, so that the next listener does not see it
				Thread.interrupted();
				this.listener = null;
			}
		}

	}

}
