package dev.reflector.actuate.metrics;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.RequestListener.BrokenAnswer;
import dev.reflector.cache.source.WatchEvent;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

/**
 * Measures one watch.
 *
 * @param <T> the type of the objects
 */
final class MeteredWatch<T> {

	private final WatchHistory history;

	private final MeterObserver meters;

	private final DeliveryClock<T> clock;

	private final Demand demand;

	/** Objects created since then are new. In whole seconds, like times of the server. */
	private final Instant begin;

	private final AtomicBoolean over = new AtomicBoolean();

	/** Whether events are still about the state before the watch. */
	private boolean initial;

	private volatile WatchEnd end = WatchEnd.ENDED;

	MeteredWatch(WatchHistory history, boolean initial, MeterObserver meters, DeliveryClock<T> clock, TimeSource time) {
		this.history = history;
		this.initial = initial;
		this.meters = meters;
		this.clock = clock;
		this.demand = new Demand(time::nanoTime, meters::blocked);
		this.begin = (initial ? time.now() : history.knownUpTo()).truncatedTo(ChronoUnit.SECONDS);
	}

	Flux<WatchEvent<T>> measure(Flux<WatchEvent<T>> watch) {
		WatchEnd before = this.history.opened();
		if (before != null && !this.initial) {
			this.meters.reconnecting(before);
		}
		this.meters.opened(this.demand);
		// noted before the subscriber can open the next watch
		return watch.contextWrite(this::told)
			.doOnNext(this::next)
			.doOnRequest(this.demand::requested)
			.doOnComplete(() -> ended(this.end))
			.doOnError((error) -> ended(WatchEnd.FAILED))
			.doOnCancel(() -> ended((this.end == WatchEnd.FAILED) ? WatchEnd.FAILED : WatchEnd.GIVEN_UP));
	}

	private Context told(Context context) {
		return RequestListener.in(context, this.meters.counting(this::broken));
	}

	private void broken(BrokenAnswer answer) {
		switch (answer) {
			case LOST -> this.end = WatchEnd.LOST;
			case SILENT -> this.end = WatchEnd.SILENT;
			case MALFORMED -> {
				this.end = WatchEnd.FAILED;
				this.meters.malformed(ObservedMeters.Request.WATCH);
			}
		}
	}

	private void next(WatchEvent<T> event) {
		this.demand.delivered();
		if (event instanceof WatchEvent.Opened<T>) {
			return;
		}
		this.history.progressed();
		if (event instanceof WatchEvent.Error<T>) {
			this.end = WatchEnd.FAILED;
			return;
		}
		if (event instanceof WatchEvent.Bookmark<T> bookmark) {
			this.initial &= !bookmark.initialEventsEnd();
			this.meters.bookmarked();
			return;
		}
		if (!this.initial && event instanceof WatchEvent.Added<T> added) {
			this.clock.appeared(added.object(), this.begin);
		}
		if (!this.history.isRepeated()) {
			this.clock.arrived(event);
		}
	}

	private void ended(WatchEnd end) {
		if (this.over.compareAndSet(false, true)) {
			this.meters.closed(this.demand);
			this.demand.ended();
			this.history.closed(end);
		}
	}

}
