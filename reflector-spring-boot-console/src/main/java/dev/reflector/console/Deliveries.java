package dev.reflector.console;

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
	 * @param idle whether no change waits for a handler. If {@code true}, and the
	 * measured change was not delivered, it was merged with another change and will never
	 * be delivered
	 * @return the time in milliseconds, or {@code null} if no change was delivered since
	 * the last call and none is being delivered
	 */
	synchronized @Nullable Double take(boolean idle) {
		Sample sample = this.sample;
		long result = this.longest;
		this.longest = -1;
		if (sample != null && (idle || result >= 0)) {
			// the next change that arrives will be measured
			this.sample = null;
		}
		else if (sample != null) {
			result = this.nanoTime.getAsLong() - sample.arrivedAt();
		}
		return (result >= 0) ? result / 1_000_000.0 : null;
	}

	private record Sample(String resourceVersion, long arrivedAt) {

	}

}
