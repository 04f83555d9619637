package dev.reflector.actuate.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.ConsistencyReport;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.ReflectorRequest;
import dev.reflector.cache.handler.RequestEnd;
import dev.reflector.cache.handler.RequestFailure;
import dev.reflector.cache.handler.RequestObserver;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.SkippedObject;
import org.jspecify.annotations.Nullable;

/**
 * Passes the notifications of one reflector to its meters in all registries.
 */
final class MeterObserver implements ReflectorObserver {

	private final List<ObservedMeters> meters = new CopyOnWriteArrayList<>();

	private final List<SnapshotMeters> snapshots = new CopyOnWriteArrayList<>();

	/**
	 * The watches whose answers are not read at the moment, because the queue of changes
	 * is full.
	 */
	private final Set<MeteredRequest> blocked = ConcurrentHashMap.newKeySet();

	private final Map<String, WatchHistory> histories = new ConcurrentHashMap<>();

	/** Names of the handlers whose delivery latency is measured. */
	private final Set<String> handlers = ConcurrentHashMap.newKeySet();

	private final TimeSource time;

	private final DeliveryClock clock;

	private volatile @Nullable ConsistencyReport verification;

	MeterObserver(TimeSource time) {
		this.time = time;
		this.clock = new DeliveryClock(this, time::now, time::nanoTime);
	}

	DeliveryClock clock() {
		return this.clock;
	}

	/** Begins to measure the latency of deliveries to a handler. */
	void addHandler(String name) {
		this.handlers.add(name);
	}

	void add(ObservedMeters target) {
		this.meters.add(target);
	}

	void add(SnapshotMeters target) {
		this.snapshots.add(target);
	}

	@Override
	public RequestObserver requested(ReflectorRequest request) {
		String namespace = request.namespace();
		WatchHistory history = this.histories.computeIfAbsent((namespace != null) ? namespace : "",
				(name) -> new WatchHistory(this.time));
		return new MeteredRequest(request, this, history, this.time);
	}

	@Override
	public void listed(Duration duration, int items, int pages) {
		this.meters.forEach((target) -> target.listed(duration, items));
	}

	@Override
	public void relisting(RelistReason reason) {
		this.meters.forEach((target) -> target.relisting(reason));
	}

	@Override
	public void backingOff(Duration delay, RequestFailure failure) {
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

	/**
	 * Returns the report of the last comparison with the server, or {@code null} if there
	 * was none.
	 */
	@Nullable ConsistencyReport verification() {
		return this.verification;
	}

	@Override
	public <T> void delivering(String handler, Change<T> change, ResourceAccessor<T> accessor) {
		if (this.handlers.contains(handler)) {
			this.clock.delivered(change, accessor);
		}
	}

	@Override
	public void retried(String handler, Duration duration) {
		this.meters.forEach((target) -> target.retried(duration));
	}

	@Override
	public void handled(String handler, Duration duration, boolean failed) {
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

	void watched(Duration duration) {
		this.meters.forEach((target) -> target.watched(duration));
	}

	void received(long bytes) {
		for (ObservedMeters target : this.meters) {
			target.received(bytes);
		}
	}

	void formatRefused() {
		this.meters.forEach(ObservedMeters::formatRefused);
	}

	void malformed(ObservedMeters.Request request) {
		this.meters.forEach((target) -> target.malformed(request));
	}

	void reconnecting(RequestEnd.Reason before) {
		this.meters.forEach((target) -> target.reconnecting(before));
	}

	void blocked(MeteredRequest watch) {
		this.blocked.add(watch);
	}

	void unblocked(MeteredRequest watch, Duration duration) {
		this.blocked.remove(watch);
		this.meters.forEach((target) -> target.blocked(duration));
	}

	/**
	 * Returns for how many seconds a watch has not been read: the longest time of all
	 * watches, or 0 if all watches are read.
	 */
	double blockedSeconds() {
		return this.blocked.stream().map(MeteredRequest::waiting).mapToLong(Duration::toMillis).max().orElse(0)
				/ 1000.0;
	}

	void bookmarked(boolean promisesOthers) {
		this.meters.forEach((target) -> target.bookmarked(promisesOthers));
	}

	void latency(ObservedMeters.DeliveryStart start, Duration latency) {
		this.meters.forEach((target) -> target.latency(start, latency));
	}

}
