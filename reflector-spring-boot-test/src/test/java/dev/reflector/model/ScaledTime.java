package dev.reflector.model;

import java.time.Duration;
import java.time.Instant;

import dev.reflector.cache.SystemTimeSource;
import dev.reflector.cache.TimeSource;

/**
 * A time that goes faster than that of the machine, so that a history of some
 * milliseconds has watches of more than a second.
 *
 * @param time the time of the machine
 * @param speed how many times faster it goes
 */
record ScaledTime(SystemTimeSource time, int speed) implements TimeSource {

	@Override
	public Instant now() {
		return this.time.now();
	}

	@Override
	public long nanoTime() {
		return this.time.nanoTime() * this.speed;
	}

	@Override
	public Runnable schedule(Duration delay, Runnable task) {
		// rounded up: a delay may be longer, never shorter
		return this.time.schedule(delay.dividedBy(this.speed).plusNanos(1), task);
	}

}
