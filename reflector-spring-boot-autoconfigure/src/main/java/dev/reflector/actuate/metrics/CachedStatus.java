package dev.reflector.actuate.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import dev.reflector.Reflector;
import dev.reflector.ReflectorStatus;
import io.micrometer.core.instrument.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Caches the status of a reflector for 100 ms, so that all meters of a scrape use the
 * same status.
 */
final class CachedStatus {

	private static final int VERSION_DIGITS = 15;

	private static final long TIME_TO_LIVE = Duration.ofMillis(100).toNanos();

	private final Reflector<?> reflector;

	private final Clock clock;

	private volatile @Nullable TimedStatus last;

	CachedStatus(Reflector<?> reflector, Clock clock) {
		this.reflector = reflector;
		this.clock = clock;
	}

	ReflectorStatus get() {
		long now = this.clock.monotonicTime();
		TimedStatus current = this.last;
		if (current == null || now - current.takenAt() > TIME_TO_LIVE) {
			current = new TimedStatus(this.reflector.status(), now);
			this.last = current;
		}
		return current.status();
	}

	/**
	 * Returns the state of the snapshot, or {@code null} if there is no snapshot. This
	 * state is not cached, because reading it is cheap.
	 */
	ReflectorStatus.@Nullable Durability durability() {
		return this.reflector.durability();
	}

	/**
	 * Whether the server also sends the objects of other replicas' shares, so that this
	 * process must drop them.
	 */
	boolean isFilteredHere() {
		ReflectorStatus.Shard shard = this.reflector.shard();
		return shard != null && shard.filteredBy() == ReflectorStatus.Shard.FilteredBy.CLIENT;
	}

	boolean isStandby() {
		return this.reflector.isStandby();
	}

	/**
	 * Returns the seconds since a time.
	 * @param instant the time, or {@code null}
	 * @return the seconds, or {@code NaN} if there is no time
	 */
	double secondsSince(@Nullable Instant instant) {
		return (instant != null)
				? (this.clock.wallTime() - instant.toEpochMilli()) / (double) TimeUnit.SECONDS.toMillis(1) : Double.NaN;
	}

	/**
	 * Returns the last 15 digits of a version as a number, because a gauge cannot show
	 * more digits exactly.
	 * @param version the version
	 * @return the number, or {@code NaN} if the version is not a number
	 */
	static double number(String version) {
		if (version.isEmpty() || !version.chars().allMatch((digit) -> digit >= '0' && digit <= '9')) {
			return Double.NaN;
		}
		return Double.parseDouble(version.substring(Math.max(0, version.length() - VERSION_DIGITS)));
	}

	/**
	 * A status and the time at which it was read.
	 *
	 * @param status the status
	 * @param takenAt the time at which it was read, in nanoseconds of the registry's
	 * clock
	 */
	private record TimedStatus(ReflectorStatus status, long takenAt) {

	}

}
