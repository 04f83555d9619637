package dev.reflector.model;

import java.time.Duration;
import java.time.Instant;

import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * A time that goes faster than that of the machine, so that a history of some
 * milliseconds has watches of more than a second. It remembers what each thread has read
 * last: on a busy machine a thread may act long after it has looked at the clock, and can
 * only go by what it saw.
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

	/** What it is now, for those who only watch. */
	long present() {
		return this.time.nanoTime() * this.speed;
	}

	/** What the calling thread takes for the present. */
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
