package dev.reflector.model;

import java.time.Duration;
import java.time.Instant;

import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * A time that runs faster than that of the machine, so that a history of some
 * milliseconds has watches of more than a second. It remembers the time that each thread
 * has read last: on a busy machine, a thread may act long after it has read the clock.
 */
final class ScaledTime implements TimeSource {

	private final SystemTimeSource time;

	private final int speed;

	private final ThreadLocal<@Nullable Long> read = new ThreadLocal<>();

	/**
	 * Makes the time.
	 * @param time the time of the machine
	 * @param speed how many times faster it goes
	 */
	ScaledTime(SystemTimeSource time, int speed) {
		this.time = time;
		this.speed = speed;
	}

	@Override
	public Instant now() {
		return this.time.now();
	}

	@Override
	public long nanoTime() {
		long now = present();
		this.read.set(now);
		return now;
	}

	/**
	 * Returns the current time. Does not change the time that the thread has read last.
	 */
	long present() {
		return this.time.nanoTime() * this.speed;
	}

	/** The time that the calling thread has read last. */
	long lastRead() {
		Long read = this.read.get();
		return (read != null) ? read : present();
	}

	@Override
	public Runnable schedule(Duration delay, Runnable task) {
		// rounded up: a delay may be longer, never shorter
		return this.time.schedule(delay.dividedBy(this.speed).plusNanos(1), task);
	}

}
