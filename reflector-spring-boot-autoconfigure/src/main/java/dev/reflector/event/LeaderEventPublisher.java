package dev.reflector.event;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes events of a leader election, one after the other. When a listener throws, the
 * listeners after it are still called, if a {@link ReflectorEventListenerFactory} or
 * {@link ReflectorListenerBeans} has created it. One that does not return is named.
 *
 * @since 0.1.0
 */
public final class LeaderEventPublisher {

	private static final Logger logger = LoggerFactory.getLogger(LeaderEventPublisher.class);

	private static final Duration DISTANCE = Duration.ofMinutes(1);

	/** Name of all listeners that Spring calls directly. */
	private static final String OTHERS = "(a listener that is called by Spring)";

	private final ApplicationEventPublisher publisher;

	private final Duration warnAfter;

	private final Duration busyAfter;

	private final TimeSource time;

	private volatile @Nullable Call call;

	/**
	 * Creates the publisher.
	 * @param publisher where to publish
	 * @param warnAfter how long a listener may take before a warning names it; zero for
	 * no warning
	 * @param busyAfter how long a listener may take before it counts as busy
	 * @param time source of time
	 */
	public LeaderEventPublisher(ApplicationEventPublisher publisher, Duration warnAfter, Duration busyAfter,
			TimeSource time) {
		this.publisher = publisher;
		this.warnAfter = warnAfter;
		this.busyAfter = busyAfter;
		this.time = time;
	}

	/**
	 * Calls the listeners of an event.
	 * @param event the event
	 */
	public void publish(LeaderElectionEvent event) {
		Call call = new Call(event, Thread.currentThread(), this.time.nanoTime());
		this.call = call;
		Runnable watch = this.warnAfter.isZero() ? () -> {
		} : this.time.schedule(this.warnAfter, () -> warn(call));
		event.delivery(call::pass);
		try {
			this.publisher.publishEvent(event);
		}
		catch (RuntimeException | Error ex) {
			logger.error("A listener has failed with {}: listeners after it were not called", event, ex);
		}
		finally {
			event.delivery(null);
			this.call = null;
			watch.run();
		}
	}

	private void warn(Call call) {
		if (this.call == call) {
			logger.warn("The listener {} is still busy with {} after {} s: later events of the election wait for it, "
					+ "and with 'reflector.leader-election.events=leader' this replica delivers nothing until it "
					+ "returns", call.listener, call.event, seconds(taken(call)));
			this.time.schedule(DISTANCE, () -> warn(call));
		}
	}

	private long taken(Call call) {
		return this.time.nanoTime() - call.since;
	}

	private static String seconds(long nanos) {
		return String.format(Locale.ROOT, "%.1f", nanos / 1e9);
	}

	/**
	 * The listener that has not returned.
	 * @return its name and its event, empty when none is busy
	 */
	public Optional<String> busy() {
		Call call = this.call;
		return (call != null && taken(call) >= this.busyAfter.toNanos())
				? Optional.of(call.listener + " with " + call.event) : Optional.empty();
	}

	/** An event whose listeners are called. */
	private static final class Call {

		private final LeaderElectionEvent event;

		private final Thread thread;

		private final long since;

		private volatile String listener = OTHERS;

		Call(LeaderElectionEvent event, Thread thread, long since) {
			this.event = event;
			this.thread = thread;
			this.since = since;
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
				logger.error("The listener {} has failed with {}", this.listener, this.event, ex);
			}
			finally {
				// clears an interrupt, so that the next listener does not see it
				Thread.interrupted();
				this.listener = OTHERS;
			}
		}

	}

}
