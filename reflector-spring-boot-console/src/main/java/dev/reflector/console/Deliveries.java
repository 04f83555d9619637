package dev.reflector.console;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import dev.reflector.cache.handler.Change;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * Measures the time from the arrival of a change to its delivery to the handlers, for one
 * change at a time. Until that change is delivered, its age is reported, so that a
 * blocking listener is noticed. Thread-safe; no call waits.
 */
final class Deliveries {

	private final LongSupplier nanoTime;

	private volatile @Nullable Sample sample;

	private long longest = -1;

	private @Nullable Backlog backlog;

	/**
	 * Creates the measurement.
	 * @param nanoTime supplies a monotonic time in nanoseconds
	 */
	Deliveries(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	<T> void arrived(WatchEvent<T> event, ResourceAccessor<T> accessor) {
		if (this.sample != null) {
			return;
		}
		T object = (event instanceof WatchEvent.Added<T> added) ? added.object()
				: (event instanceof WatchEvent.Modified<T> modified) ? modified.object()
						: (event instanceof WatchEvent.Deleted<T> deleted) ? deleted.object() : null;
		if (object != null) {
			this.sample = new Sample(accessor.resourceVersion(object), this.nanoTime.getAsLong());
		}
	}

	void delivered(Change<?> change) {
		Sample sample = this.sample;
		if (sample != null && sample.resourceVersion().equals(change.resourceVersion())) {
			note(this.nanoTime.getAsLong() - sample.arrivedAt());
		}
	}

	private synchronized void note(long nanos) {
		this.longest = Math.max(this.longest, nanos);
	}

	/**
	 * Returns the longest delivery time since the last call of this method. If the
	 * measured change has not been delivered yet, returns the age of this change.
	 * @param queued how many changes wait for the handler with the longest queue
	 * @param busy how long the longest slow call of a listener has been running, zero if
	 * there is none
	 * @param handlers the counts of the handlers
	 * @return the time in milliseconds, or {@code null} if no change was delivered since
	 * the last call and none is being delivered
	 */
	synchronized @Nullable Double take(int queued, Duration busy, List<HandlerCounts.View> handlers) {
		Sample sample = this.sample;
		long result = this.longest;
		this.longest = -1;
		if (sample != null && (result >= 0 || queued == 0 || hasPassed(sample, queued, busy, handlers))) {
			// the next change that arrives will be measured
			this.sample = null;
		}
		else if (sample != null) {
			result = this.nanoTime.getAsLong() - sample.arrivedAt();
		}
		return (result >= 0) ? result / 1_000_000.0 : null;
	}

	/**
	 * Whether a handler has received more changes than were queued when the measured
	 * change was first found here. The change was then merged with another one, or did
	 * not change the mirror, and will never be delivered. While a call lasts that began
	 * before, this is not known: the change may wait behind it, and the other threads of
	 * the handler deliver later changes.
	 */
	private boolean hasPassed(Sample sample, int queued, Duration busy, List<HandlerCounts.View> handlers) {
		long now = this.nanoTime.getAsLong();
		Backlog before = this.backlog;
		if (before == null || before.sample() != sample) {
			Map<String, Long> calls = new HashMap<>();
			handlers.forEach((handler) -> calls.put(handler.name(), calls(handler)));
			this.backlog = new Backlog(sample, queued, now, calls);
			return false;
		}
		if (busy.toNanos() > now - before.foundAt()) {
			return false;
		}
		return handlers.stream()
			.anyMatch((handler) -> calls(handler) - before.calls().getOrDefault(handler.name(), 0L) > before.queued());
	}

	private static long calls(HandlerCounts.View handler) {
		return handler.handled() + handler.failures();
	}

	/**
	 * What was queued when the measured change was first found.
	 *
	 * @param sample the measured change
	 * @param queued how many changes were queued
	 * @param foundAt when the change was found, in nanoseconds
	 * @param calls how many changes each handler had received
	 */
	private record Backlog(Sample sample, int queued, long foundAt, Map<String, Long> calls) {

	}

	private record Sample(String resourceVersion, long arrivedAt) {

	}

}
