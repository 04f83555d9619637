package dev.reflector.kafka;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.FluxSink;

/**
 * A watch that reads a topic, and delivers an event only when the subscriber has
 * requested it. It polls again only after all events of the last poll have been
 * delivered, so the events of at most one poll are queued.
 *
 * @param <T> the type of the objects
 */
final class TopicWatch<T> implements Runnable {

	/**
	 * How often to ask the broker for the end of the topic. The request also shows
	 * whether the broker answers.
	 */
	private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(10);

	private final KafkaListerWatcher<T> source;

	private final TopicReading reading;

	private final WatchOptions options;

	private final FluxSink<WatchEvent<T>> sink;

	/** The events that were read but not delivered yet. */
	private final Deque<WatchEvent<T>> waiting = new ArrayDeque<>();

	/**
	 * The requested end of the topic, until the watch has reached it; {@code null}
	 * afterwards.
	 */
	private @Nullable Map<TopicPartition, Long> ends;

	/** When {@link #ends} was requested from the broker. */
	private long endsAt;

	private long checkedAt;

	TopicWatch(KafkaListerWatcher<T> source, TopicReading reading, WatchOptions options, FluxSink<WatchEvent<T>> sink) {
		this.source = source;
		this.reading = reading;
		this.options = options;
		this.sink = sink;
	}

	/** Notes that the subscriber has requested more events. */
	synchronized void wake() {
		notifyAll();
	}

	/** Ends the watch, because the subscriber has canceled. */
	void end() {
		this.reading.end();
		wake();
	}

	@Override
	public void run() {
		boolean initial = this.options.sendInitialEvents();
		TopicState<T> state = initial ? this.source.fresh(this.options.namespace())
				: this.source.take(this.options.namespace(), this.options.resourceVersion());
		try {
			this.reading.open(initial ? TopicPosition.NONE : state.position());
			this.waiting.add(new WatchEvent.Opened<>());
			if (initial) {
				initial(state);
			}
			follow(state);
		}
		finally {
			// the state is kept for the next watch only if the subscriber has received
			// all events up to this state
			if (this.waiting.isEmpty() && !this.reading.isEnded() && !state.position().isNone()) {
				this.source.keep(this.options.namespace(), state);
			}
		}
		if (!this.reading.isEnded()) {
			this.sink.complete();
		}
	}

	/** Delivers the current objects. */
	private void initial(TopicState<T> state) {
		this.reading.toPresentEnd((record) -> {
			WatchEvent<T> event = state.apply(record);
			if (event != null) {
				this.waiting.add(event);
				handOn();
			}
		});
		this.source.requireRecent(state);
		state.caughtUp(this.reading.beganAt());
		this.reading.mirrored();
		this.waiting.add(state.bookmark(true));
	}

	/** Delivers further events until the time limit of the watch is reached. */
	private void follow(TopicState<T> state) {
		long until = this.reading.now() + this.options.timeout().toNanos();
		this.checkedAt = this.reading.now();
		while (handOn()) {
			state.reached(this.reading.position());
			if (this.reading.now() - until >= 0) {
				return;
			}
			check(state);
			if (!handOn()) {
				return;
			}
			this.reading.poll().forEach((record) -> {
				WatchEvent<T> event = state.apply(record);
				if (event != null) {
					this.waiting.add(event);
				}
			});
		}
	}

	private void check(TopicState<T> state) {
		if (this.ends != null && this.reading.hasReached(this.ends)) {
			state.caughtUp(this.endsAt);
			this.ends = null;
		}
		this.reading.checkTopic();
		long now = this.reading.now();
		if (now - this.checkedAt < CHECK_NANOS) {
			return;
		}
		this.checkedAt = now;
		this.source.requireRecent(state);
		this.reading.requireSamePartitions();
		Map<TopicPartition, Long> present = this.reading.ends();
		if (this.ends == null) {
			this.ends = present;
			this.endsAt = now;
		}
		if (this.options.bookmarks()) {
			this.waiting.add(state.bookmark(false));
		}
	}

	/**
	 * Delivers queued events, as many as the subscriber has requested.
	 * @return whether all queued events were delivered
	 */
	private boolean handOn() {
		WatchEvent<T> next;
		while ((next = this.waiting.peek()) != null) {
			if (!awaitRequest()) {
				return false;
			}
			this.waiting.remove();
			this.sink.next(next);
		}
		return !this.reading.isEnded();
	}

	private synchronized boolean awaitRequest() {
		try {
			while (!this.reading.isEnded() && this.sink.requestedFromDownstream() == 0) {
				wait();
			}
			return !this.reading.isEnded();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
