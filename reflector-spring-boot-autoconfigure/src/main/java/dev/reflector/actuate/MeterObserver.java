package dev.reflector.actuate;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.ConsistencyReport;
import dev.reflector.ReflectorState;
import dev.reflector.cache.PassEnd;
import dev.reflector.cache.ReflectorObserver;
import dev.reflector.cache.SkippedObject;

/**
 * Passes what it sees of one reflector to the meters of all bound registries.
 */
final class MeterObserver implements ReflectorObserver {

	private final List<ObservedMeters> meters = new CopyOnWriteArrayList<>();

	private volatile Duration backoff = Duration.ZERO;

	void add(ObservedMeters target) {
		this.meters.add(target);
	}

	@Override
	public void listed(Duration duration, int items, int pages) {
		this.meters.forEach((target) -> target.listed(duration, items));
	}

	@Override
	public void relisting(PassEnd reason) {
		this.meters.forEach((target) -> target.relisting(reason));
	}

	@Override
	public void watched(Duration duration, long events) {
		this.meters.forEach((target) -> target.watched(duration));
	}

	@Override
	public void backingOff(Duration delay) {
		this.backoff = delay;
		this.meters.forEach((target) -> target.backingOff(delay));
	}

	@Override
	public void skipped(SkippedObject object) {
		this.meters.forEach(ObservedMeters::skipped);
	}

	@Override
	public void verified(ConsistencyReport report) {
		this.meters.forEach((target) -> target.verified(report.result()));
	}

	@Override
	public void handled(Duration duration, boolean failed) {
		for (ObservedMeters target : this.meters) {
			target.handled(duration, failed);
		}
	}

	@Override
	public void handedOver() {
		this.meters.forEach(ObservedMeters::handedOver);
	}

	@Override
	public void merged() {
		this.meters.forEach(ObservedMeters::merged);
	}

	void formatRefused() {
		this.meters.forEach(ObservedMeters::formatRefused);
	}

	void received(long bytes) {
		for (ObservedMeters target : this.meters) {
			target.received(bytes);
		}
	}

	void reconnecting(MeteredListerWatcher.WatchEnd before) {
		this.meters.forEach((target) -> target.reconnecting(before));
	}

	void blocked(Duration duration) {
		this.meters.forEach((target) -> target.blocked(duration));
	}

	void bookmarked() {
		this.meters.forEach(ObservedMeters::bookmarked);
	}

	void latency(DeliveryClock.DeliveryStart start, Duration latency) {
		this.meters.forEach((target) -> target.latency(start, latency));
	}

	double backoff(ReflectorState state) {
		return (state == ReflectorState.BACKING_OFF) ? this.backoff.toMillis() / 1000.0 : 0;
	}

}
