package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import dev.reflector.ConsistencyReport;
import dev.reflector.cache.PassEnd;
import dev.reflector.cache.ReflectorObserver;
import dev.reflector.cache.SkippedObject;

/**
 * Tells several observers.
 */
final class CompositeReflectorObserver implements ReflectorObserver {

	private final List<ReflectorObserver> observers;

	private CompositeReflectorObserver(List<ReflectorObserver> observers) {
		this.observers = observers;
	}

	static ReflectorObserver of(List<ReflectorObserver> observers) {
		return switch (observers.size()) {
			case 0 -> ReflectorObserver.NONE;
			case 1 -> observers.get(0);
			default -> new CompositeReflectorObserver(List.copyOf(observers));
		};
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

	private void tell(Consumer<ReflectorObserver> message) {
		this.observers.forEach(message);
	}

}
