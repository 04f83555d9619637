package dev.reflector.actuate.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.reflector.cache.handler.Change;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long changes are on their way to a listener: of each object that was
 * created while it was watched, from its creation by the clock of the server, and of one
 * change at a time, from its arrival here. It costs the changes nothing to carry.
 *
 * @param <T> the type of the objects
 */
final class DeliveryClock<T> {

	/** A change that was merged into another never comes. */
	private static final Duration LOST = Duration.ofMinutes(5);

	private final ResourceAccessor<T> accessor;

	private final MeterObserver meters;

	private final Supplier<Instant> wallTime;

	private final LongSupplier nanoTime;

	private final AtomicReference<@Nullable Sample> sample = new AtomicReference<>();

	/** What was created up to then may have come into the selection only later. */
	private final AtomicReference<Instant> selectedUpTo = new AtomicReference<>(Instant.MIN);

	DeliveryClock(ResourceAccessor<T> accessor, MeterObserver meters, Supplier<Instant> wallTime,
			LongSupplier nanoTime) {
		this.accessor = accessor;
		this.meters = meters;
		this.wallTime = wallTime;
		this.nanoTime = nanoTime;
	}

	void arrived(WatchEvent<T> event) {
		Sample pending = this.sample.get();
		if (pending != null && this.nanoTime.getAsLong() - pending.arrivedAt() < LOST.toNanos()) {
			return;
		}
		T object = object(event);
		if (object != null) {
			this.sample.set(new Sample(this.accessor.resourceVersion(object), this.nanoTime.getAsLong()));
		}
	}

	/**
	 * An object is new to a watch. One that was created before is no new one: it was
	 * changed so that it is selected. Whether it is one is decided here and not when it
	 * is delivered, which a slow listener may be so late to be that all look old.
	 * @param object the object
	 * @param begin what was created since then could not have been known before
	 */
	void appeared(T object, Instant begin) {
		Instant created = this.accessor.creationTimestamp(object);
		if (created != null && created.isBefore(begin)) {
			this.selectedUpTo.accumulateAndGet(created, (one, other) -> one.isAfter(other) ? one : other);
		}
	}

	private static <T> @Nullable T object(WatchEvent<T> event) {
		if (event instanceof WatchEvent.Added<T> added) {
			return added.object();
		}
		if (event instanceof WatchEvent.Modified<T> modified) {
			return modified.object();
		}
		return (event instanceof WatchEvent.Deleted<T> deleted) ? deleted.object() : null;
	}

	void delivered(Change<T> change) {
		Sample pending = this.sample.get();
		if (pending != null && pending.resourceVersion().equals(change.resourceVersion())
				&& this.sample.compareAndSet(pending, null)) {
			this.meters.latency(ObservedMeters.DeliveryStart.ARRIVAL,
					Duration.ofNanos(this.nanoTime.getAsLong() - pending.arrivedAt()));
		}
		if (change.type() == Change.Type.ADDED && change.cause() == Change.Cause.WATCH && !change.initialList()) {
			Instant created = this.accessor.creationTimestamp(change.object());
			if (created != null && created.isAfter(this.selectedUpTo.get())) {
				Duration latency = Duration.between(created, this.wallTime.get());
				// clocks differ
				this.meters.latency(ObservedMeters.DeliveryStart.SERVER,
						latency.isNegative() ? Duration.ZERO : latency);
			}
		}
	}

	/**
	 * A change that is on its way.
	 *
	 * @param resourceVersion its version
	 * @param arrivedAt when it arrived
	 */
	private record Sample(String resourceVersion, long arrivedAt) {

	}

}
