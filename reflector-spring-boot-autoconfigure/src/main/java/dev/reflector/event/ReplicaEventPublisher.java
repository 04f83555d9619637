package dev.reflector.event;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.internal.call.BusyCalls;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes events of a leader election and of slots, and calls their listeners on the
 * publishing thread. If a listener throws an exception, the exception is logged. The
 * other listeners are still called only if the event is one of this library, and a
 * {@link ReflectorEventListenerFactory} or {@link ReflectorListenerBeans} has created the
 * listener that failed. If a listener does not return, a warning names it, at most once
 * per minute. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ReplicaEventPublisher {

	private static final Logger logger = LoggerFactory.getLogger(ReplicaEventPublisher.class);

	private final ApplicationEventPublisher publisher;

	private final Duration busyAfter;

	private final TimeSource time;

	private final Set<Publication> publications = ConcurrentHashMap.newKeySet();

	private final BusyCalls<Publication> calls;

	/**
	 * Creates the publisher.
	 * @param publisher publishes the events
	 * @param warnAfter how long a listener may take before a warning names it; zero for
	 * no warning
	 * @param busyAfter how long a listener may take before {@link #busy()} returns it
	 * @param time source of time
	 */
	public ReplicaEventPublisher(ApplicationEventPublisher publisher, Duration warnAfter, Duration busyAfter,
			TimeSource time) {
		this.publisher = publisher;
		this.busyAfter = busyAfter;
		this.time = time;
		this.calls = new BusyCalls<>(warnAfter, time, this.publications::stream, ReplicaEventPublisher::warn);
	}

	/**
	 * Publishes an event. Does not throw the exceptions of listeners.
	 * @param event the event
	 * @param waiting text for a warning: what is delayed until the listeners have
	 * returned
	 */
	public void publish(ApplicationEvent event, String waiting) {
		Publication publication = new Publication(event, waiting, Thread.currentThread(), this.time.nanoTime());
		DeliveredEvent delivered = (event instanceof DeliveredEvent ofReflectors) ? ofReflectors : null;
		this.publications.add(publication);
		this.calls.called();
		if (delivered != null) {
			delivered.delivery(publication::pass);
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
			this.publications.remove(publication);
		}
	}

	private static void warn(Publication call, String seconds) {
		logger.warn("The listener {} is still busy with {} after {} s. Until it returns, {}", call.listener(),
				text(call.event), seconds, call.waiting);
	}

	/**
	 * Describes an event in messages. An event of another library is described by its
	 * class, because its text may be long.
	 */
	private static String text(ApplicationEvent event) {
		return (event instanceof DeliveredEvent) ? event.toString() : event.getClass().getSimpleName();
	}

	/**
	 * Returns the listener whose current call has been running longest.
	 * @return name of the listener and its event, empty if no listener is busy
	 */
	public Optional<String> busy() {
		return this.calls.longest(this.busyAfter).map(Publication::subjectOfReports);
	}

	/** The publication of one event, while its listeners are called. */
	private static final class Publication implements BusyCalls.Call {

		private final ApplicationEvent event;

		private final String waiting;

		private final Thread thread;

		private final long since;

		/**
		 * The listener that is being called, or {@code null} if Spring calls it directly.
		 */
		private volatile @Nullable String listener;

		Publication(ApplicationEvent event, String waiting, Thread thread, long since) {
			this.event = event;
			this.waiting = waiting;
			this.thread = thread;
			this.since = since;
		}

		@Override
		public String listener() {
			String listener = this.listener;
			return (listener != null) ? listener : ListenerInCall.name(this.thread);
		}

		/** A listener may be busy with several slots. */
		@Override
		public String subjectOfReports() {
			return listener() + " with " + text(this.event);
		}

		@Override
		public long since() {
			return this.since;
		}

		/** Calls a listener. Does not wait for an asynchronous listener. */
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
				// clears the interrupt, so that the next listener does not see it
				Thread.interrupted();
				this.listener = null;
			}
		}

	}

}
