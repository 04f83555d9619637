package dev.reflector.cache.internal.delivery;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Decides when a handler is due for a resync, in each namespace that is followed
 * separately (rules I-30 to I-33).
 */
final class ResyncClock {

	/** I-31: the shortest period that a handler can request. */
	static final Duration MINIMUM = Duration.ofSeconds(1);

	private final Duration requested;

	private final long since;

	private final Map<String, Long> next = new HashMap<>();

	private Duration period;

	/** The namespaces in which the handler was not due for the last resync. */
	private final Set<String> notDue = new HashSet<>();

	/**
	 * Starts the clock.
	 * @param requested the period that the handler requests, zero for no resyncs
	 * @param checkPeriod the period of the timer; no handler can have a shorter one
	 * @param now the current time
	 */
	ResyncClock(Duration requested, Duration checkPeriod, long now) {
		this.requested = requested;
		this.since = now;
		this.period = effective(requested, checkPeriod);
	}

	private static Duration effective(Duration requested, Duration checkPeriod) {
		if (requested.isZero() || checkPeriod.isZero()) {
			return Duration.ZERO;
		}
		return (requested.compareTo(checkPeriod) < 0) ? checkPeriod : requested;
	}

	synchronized Duration period() {
		return this.period;
	}

	synchronized void checkPeriod(Duration checkPeriod) {
		this.period = effective(this.requested, checkPeriod);
	}

	/**
	 * Called when the writer of the mirror has reached a resync of the timer.
	 * @param scope the namespace, empty for all
	 * @param now the time when the timer fired
	 * @return whether the handler is due
	 */
	synchronized boolean fire(String scope, long now) {
		// of a period that is too long for a number of nanoseconds, the longest possible
		long length = TimeUnit.NANOSECONDS.convert(this.period);
		if (this.period.isZero() || now - this.next.getOrDefault(scope, this.since + length) < 0) {
			this.notDue.add(scope);
			return false;
		}
		this.notDue.remove(scope);
		this.next.put(scope, now + length);
		return true;
	}

	/**
	 * Called when the writer of the mirror has reached a resync that was requested
	 * explicitly. It is delivered to all handlers.
	 */
	synchronized void fireForAll(String scope) {
		this.notDue.remove(scope);
	}

	/** Whether the handler receives the objects of a namespace in the current resync. */
	synchronized boolean isDue(String namespace) {
		return !this.notDue.contains("") && !this.notDue.contains(namespace);
	}

}
