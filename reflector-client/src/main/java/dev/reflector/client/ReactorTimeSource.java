package dev.reflector.client;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import dev.reflector.cache.config.TimeSource;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The clock of the machine. Tasks run on threads that all users of Reactor share, so this
 * class never stops them.
 */
final class ReactorTimeSource implements TimeSource {

	private final Scheduler scheduler = Schedulers.parallel();

	@Override
	public Instant now() {
		return Instant.now();
	}

	@Override
	public long nanoTime() {
		return System.nanoTime();
	}

	@Override
	public Runnable schedule(Duration delay, Runnable task) {
		long nanos = TimeUnit.NANOSECONDS.convert(delay);
		Disposable scheduled = this.scheduler.schedule(task, nanos, TimeUnit.NANOSECONDS);
		return scheduled::dispose;
	}

}
