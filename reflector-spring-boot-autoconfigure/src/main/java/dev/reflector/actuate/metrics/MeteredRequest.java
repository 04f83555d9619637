package dev.reflector.actuate.metrics;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ReflectorRequest;
import dev.reflector.cache.handler.ReflectorRequest.Kind;
import dev.reflector.cache.handler.RequestEnd;
import dev.reflector.cache.handler.RequestObserver;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;

/**
 * Measures one list or watch.
 */
final class MeteredRequest implements RequestObserver {

	private final MeterObserver meters;

	private final WatchHistory history;

	private final TimeSource time;

	private final boolean watch;

	private final boolean streamedList;

	/**
	 * Objects created at this time or later are new. The time is in whole seconds, like
	 * the creation times that the server sets.
	 */
	private final Instant begin;

	/** Whether this is a streamed list that has not sent all its initial objects yet. */
	private boolean initial;

	private volatile long blockedSince;

	MeteredRequest(ReflectorRequest request, MeterObserver meters, WatchHistory history, TimeSource time) {
		this.meters = meters;
		this.history = history;
		this.time = time;
		this.watch = request.kind() == Kind.WATCH || request.kind() == Kind.STREAMED_LIST;
		this.streamedList = request.kind() == Kind.STREAMED_LIST;
		this.initial = this.streamedList;
		this.begin = (this.initial ? time.now() : history.knownUpTo()).truncatedTo(ChronoUnit.SECONDS);
		if (this.watch) {
			history.opened();
		}
		else if (request.kind() == Kind.LIST) {
			history.progressed();
		}
		RequestEnd.Reason before = request.after();
		if (before != null) {
			meters.reconnecting(before);
		}
	}

	@Override
	public void received(long bytes) {
		this.meters.received(bytes);
	}

	@Override
	public void formatRefused() {
		this.meters.formatRefused();
	}

	@Override
	public <T> void arrived(WatchEvent<T> event, ResourceAccessor<T> accessor) {
		if (event instanceof WatchEvent.Opened<T>) {
			return;
		}
		this.history.progressed();
		if (event instanceof WatchEvent.Bookmark<T> bookmark) {
			this.initial &= !bookmark.initialEventsEnd();
			// a server that sends bookmarks with a streamed list may send none on watches
			this.meters.bookmarked(!this.streamedList);
			return;
		}
		if (!this.initial && event instanceof WatchEvent.Added<T> added) {
			this.meters.clock().appeared(added.object(), this.begin, accessor);
		}
		if (!this.history.isRepeated()) {
			this.meters.clock().arrived(event, accessor);
		}
	}

	@Override
	public void blocked() {
		this.blockedSince = this.time.nanoTime();
		this.meters.blocked(this);
	}

	@Override
	public void unblocked(Duration duration) {
		this.meters.unblocked(this, duration);
	}

	/**
	 * Returns for how long this watch has not been read because the queue of changes is
	 * full.
	 */
	Duration waiting() {
		return Duration.ofNanos(this.time.nanoTime() - this.blockedSince);
	}

	@Override
	public void ended(RequestEnd end) {
		if (this.watch) {
			this.history.closed();
			this.meters.watched(end.duration());
		}
		if (end.reason() == RequestEnd.Reason.MALFORMED) {
			this.meters.malformed(this.watch ? ObservedMeters.Request.WATCH : ObservedMeters.Request.LIST);
		}
	}

}
