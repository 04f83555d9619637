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
 * Measures how long changes take to reach a listener. For each object created during a
 * watch, it measures the time since the creation, by the clock of the server. For one
 * change at a time, it measures the time since the arrival of the event. It does not
 * measure every change, because each change would need a time stamp.
 */
final class DeliveryClock {

	/**
	 * Time after which a sample is discarded. Such a sample may belong to a change that
	 * was merged and never reaches a listener.
	 */
	private static final Duration LOST = Duration.ofMinutes(5);

	private final MeterObserver meters;

	private final Supplier<Instant> wallTime;

	private final LongSupplier nanoTime;

	private final AtomicReference<@Nullable Sample> sample = new AtomicReference<>();

	/**
	 * Objects created up to this time are not measured. This is the latest creation time
	 * of the objects that existed before the watch and were added only because a change
	 * made them match the selectors.
	 */
	private final AtomicReference<Instant> selectedUpTo = new AtomicReference<>(Instant.MIN);

	DeliveryClock(MeterObserver meters, Supplier<Instant> wallTime, LongSupplier nanoTime) {
		this.meters = meters;
		this.wallTime = wallTime;
		this.nanoTime = nanoTime;
	}

	<T> void arrived(WatchEvent<T> event, ResourceAccessor<T> accessor) {
		Sample pending = this.sample.get();
		if (pending != null && this.nanoTime.getAsLong() - pending.arrivedAt() < LOST.toNanos()) {
			return;
		}
		T object = object(event);
		if (object != null) {
			this.sample.set(new Sample(accessor.resourceVersion(object), this.nanoTime.getAsLong()));
		}
	}

	/**
	 * Called when a watch has added an object. If the object was created before the watch
	 * began, it is not new: a change has made it match the selectors. This is checked on
	 * arrival and not on delivery, because a slow listener receives every object late.
	 * @param object the object
	 * @param begin objects created at this time or later are new
	 * @param accessor reads the metadata of the object
	 */
	<T> void appeared(T object, Instant begin, ResourceAccessor<T> accessor) {
		Instant created = accessor.creationTimestamp(object);
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

	<T> void delivered(Change<T> change, ResourceAccessor<T> accessor) {
		Sample pending = this.sample.get();
		if (pending != null && pending.resourceVersion().equals(change.resourceVersion())
				&& this.sample.compareAndSet(pending, null)) {
			this.meters.latency(ObservedMeters.DeliveryStart.ARRIVAL,
					Duration.ofNanos(this.nanoTime.getAsLong() - pending.arrivedAt()));
		}
		if (change.type() == Change.Type.ADDED && change.cause() == Change.Cause.WATCH && !change.initialList()) {
			Instant created = accessor.creationTimestamp(change.object());
			if (created != null && created.isAfter(this.selectedUpTo.get())) {
				Duration latency = Duration.between(created, this.wallTime.get());
				// negative if the clocks of server and client differ
				this.meters.latency(ObservedMeters.DeliveryStart.SERVER,
						latency.isNegative() ? Duration.ZERO : latency);
			}
		}
	}

	/**
	 * A change whose time from arrival to delivery is measured.
	 *
	 * @param resourceVersion version of the change
	 * @param arrivedAt when the event arrived, in nanoseconds of the time source
	 */
	private record Sample(String resourceVersion, long arrivedAt) {

	}

}
