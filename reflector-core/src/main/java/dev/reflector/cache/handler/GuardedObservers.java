package dev.reflector.cache.handler;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.reflector.ConsistencyReport;
import dev.reflector.cache.source.SkippedObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Catches the exceptions of observers, so that they affect neither the reflector nor
 * other observers. The first failure of each is logged.
 */
final class GuardedObservers implements ReflectorObserver {

	private static final Logger logger = LoggerFactory.getLogger(GuardedObservers.class);

	private final List<Guarded> observers;

	private GuardedObservers(List<Guarded> observers) {
		this.observers = observers;
	}

	static ReflectorObserver of(List<? extends ReflectorObserver> observers) {
		if (observers.isEmpty()) {
			return NONE;
		}
		boolean guarded = observers.size() == 1 && observers.get(0) instanceof GuardedObservers;
		return guarded ? observers.get(0) : new GuardedObservers(observers.stream().map(Guarded::new).toList());
	}

	@Override
	public void listed(Duration duration, int items, int pages) {
		tell((observer) -> observer.listed(duration, items, pages));
	}

	@Override
	public void relisting(PassEnd reason) {
		tell((observer) -> observer.relisting(reason));
	}

	@Override
	public void watched(Duration duration, long events) {
		tell((observer) -> observer.watched(duration, events));
	}

	@Override
	public void handedOver() {
		tell(ReflectorObserver::handedOver);
	}

	@Override
	public void backingOff(Duration delay) {
		tell((observer) -> observer.backingOff(delay));
	}

	@Override
	public void skipped(SkippedObject object) {
		tell((observer) -> observer.skipped(object));
	}

	@Override
	public void verified(ConsistencyReport report) {
		tell((observer) -> observer.verified(report));
	}

	@Override
	public void retried(Duration duration) {
		tell((observer) -> observer.retried(duration));
	}

	@Override
	public void handled(Duration duration, boolean failed) {
		tell((observer) -> observer.handled(duration, failed));
	}

	@Override
	public void merged() {
		tell(ReflectorObserver::merged);
	}

	@Override
	public void committed(Duration duration) {
		tell((observer) -> observer.committed(duration));
	}

	@Override
	public void commitFailed() {
		tell(ReflectorObserver::commitFailed);
	}

	private void tell(Consumer<ReflectorObserver> message) {
		for (Guarded observer : this.observers) {
			observer.tell(message);
		}
	}

	private static final class Guarded {

		private final ReflectorObserver observer;

		private final AtomicBoolean failed = new AtomicBoolean();

		Guarded(ReflectorObserver observer) {
			this.observer = Objects.requireNonNull(observer, "an observer is null");
		}

		void tell(Consumer<ReflectorObserver> message) {
			try {
				message.accept(this.observer);
			}
			catch (Throwable ex) {
				if (this.failed.compareAndSet(false, true)) {
					logger.warn("The observer {} has failed; the reflector goes on, later failures are not logged",
							this.observer.getClass().getName(), ex);
				}
			}
		}

	}

}
