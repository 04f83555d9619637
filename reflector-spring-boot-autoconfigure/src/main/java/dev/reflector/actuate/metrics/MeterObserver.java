package dev.reflector.actuate.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.reflector.ConsistencyReport;
import dev.reflector.cache.handler.PassEnd;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.SkippedObject;
import org.jspecify.annotations.Nullable;

/**
 * Passes what happens in one reflector to its meters in all registries.
 */
final class MeterObserver implements ReflectorObserver {

	private final List<ObservedMeters> meters = new CopyOnWriteArrayList<>();

	private final List<SnapshotMeters> snapshots = new CopyOnWriteArrayList<>();

	private final Set<Demand> demands = ConcurrentHashMap.newKeySet();

	private volatile @Nullable ConsistencyReport verification;

	void add(ObservedMeters target) {
		this.meters.add(target);
	}

	void add(SnapshotMeters target) {
		this.snapshots.add(target);
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
		this.meters.forEach((target) -> target.backingOff(delay));
	}

	@Override
	public void skipped(SkippedObject object) {
		this.meters.forEach((target) -> target.skipped(object.cause()));
	}

	@Override
	public void verified(ConsistencyReport report) {
		this.verification = report;
		this.meters.forEach((target) -> target.verified(report.result()));
	}

	/** The result of the last comparison with the server. */
	@Nullable ConsistencyReport verification() {
		return this.verification;
	}

	@Override
	public void retried(Duration duration) {
		this.meters.forEach((target) -> target.retried(duration));
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

	@Override
	public void committed(Duration duration) {
		this.snapshots.forEach((target) -> target.committed(duration));
	}

	@Override
	public void commitFailed() {
		this.snapshots.forEach(SnapshotMeters::commitFailed);
	}

	/**
	 * Counts the bytes and refused formats of a request.
	 * @param onBroken called when the answer is broken
	 * @return the listener to put into the context of the request
	 */
	RequestListener counting(Consumer<RequestListener.BrokenAnswer> onBroken) {
		return new RequestListener() {

			@Override
			public void formatRefused() {
				MeterObserver.this.meters.forEach(ObservedMeters::formatRefused);
			}

			@Override
			public void received(long bytes) {
				for (ObservedMeters target : MeterObserver.this.meters) {
					target.received(bytes);
				}
			}

			@Override
			public void broken(BrokenAnswer answer) {
				onBroken.accept(answer);
			}

		};
	}

	void malformed(ObservedMeters.Request request) {
		this.meters.forEach((target) -> target.malformed(request));
	}

	void reconnecting(WatchEnd before) {
		this.meters.forEach((target) -> target.reconnecting(before));
	}

	void opened(Demand demand) {
		this.demands.add(demand);
	}

	void closed(Demand demand) {
		this.demands.remove(demand);
	}

	/** For how long a watch has not been read, the longest time of all watches. */
	double blockedSeconds() {
		return this.demands.stream().map(Demand::waiting).mapToLong(Duration::toMillis).max().orElse(0) / 1000.0;
	}

	void blocked(Duration duration) {
		this.meters.forEach((target) -> target.blocked(duration));
	}

	void bookmarked() {
		this.meters.forEach(ObservedMeters::bookmarked);
	}

	void latency(ObservedMeters.DeliveryStart start, Duration latency) {
		this.meters.forEach((target) -> target.latency(start, latency));
	}

}
