package dev.reflector.cache;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.reflector.ConsistencyReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an observer that throws from doing harm. Its first failure is logged.
 */
final class GuardedObserver implements ReflectorObserver {

	private static final Logger logger = LoggerFactory.getLogger(GuardedObserver.class);

	private final ReflectorObserver observer;

	private final AtomicBoolean failed = new AtomicBoolean();

	private GuardedObserver(ReflectorObserver observer) {
		this.observer = observer;
	}

	static ReflectorObserver of(ReflectorObserver observer) {
		return (observer instanceof GuardedObserver) ? observer : new GuardedObserver(observer);
	}

	private void guarded(Runnable call) {
		try {
			call.run();
		}
		catch (Throwable ex) {
			if (this.failed.compareAndSet(false, true)) {
				logger.warn("The observer {} has failed; what it observes goes on, later failures are not logged",
						this.observer.getClass().getName(), ex);
			}
		}
	}

	@Override
	public void listed(Duration duration, int items, int pages) {
		guarded(() -> this.observer.listed(duration, items, pages));
	}

	@Override
	public void relisting(PassEnd reason) {
		guarded(() -> this.observer.relisting(reason));
	}

	@Override
	public void watched(Duration duration, long events) {
		guarded(() -> this.observer.watched(duration, events));
	}

	@Override
	public void handedOver() {
		guarded(this.observer::handedOver);
	}

	@Override
	public void backingOff(Duration delay) {
		guarded(() -> this.observer.backingOff(delay));
	}

	@Override
	public void skipped(SkippedObject object) {
		guarded(() -> this.observer.skipped(object));
	}

	@Override
	public void verified(ConsistencyReport report) {
		guarded(() -> this.observer.verified(report));
	}

	@Override
	public void retried(Duration duration) {
		guarded(() -> this.observer.retried(duration));
	}

	@Override
	public void handled(Duration duration, boolean failed) {
		guarded(() -> this.observer.handled(duration, failed));
	}

	@Override
	public void merged() {
		guarded(this.observer::merged);
	}

}
