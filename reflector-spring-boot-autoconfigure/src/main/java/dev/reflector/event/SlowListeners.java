package dev.reflector.event;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.cache.config.TimeSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of slow listeners, of each once a minute at most.
 */
final class SlowListeners {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private static final long DISTANCE = Duration.ofMinutes(1).toNanos();

	private static final double NANOS_PER_SECOND = 1e9;

	private final String reflector;

	private final long threshold;

	private final TimeSource time;

	private final Map<String, Warned> warned = new ConcurrentHashMap<>();

	SlowListeners(String reflector, Duration threshold, TimeSource time) {
		this.reflector = reflector;
		this.threshold = threshold.isZero() ? Long.MAX_VALUE : threshold.toNanos();
		this.time = time;
	}

	/**
	 * Takes note of a call, and warns when it was slow.
	 * @param listener its name
	 * @param nanos how long it took
	 * @param subject what it was called with; its text is logged
	 */
	void took(String listener, long nanos, Object subject) {
		if (nanos < this.threshold) {
			return;
		}
		this.warned.compute(listener, (name, before) -> {
			long now = this.time.nanoTime();
			if (before != null && now - before.at() < DISTANCE) {
				return new Warned(before.at(), before.unsaid() + 1);
			}
			logger.atWarn()
				.addKeyValue("reflector", this.reflector)
				.addKeyValue("listener", name)
				.log("Reflector '{}': the listener {} took {} s for {} and delayed all later events{}", this.reflector,
						name, seconds(nanos), subject, (before != null && before.unsaid() > 0)
								? " (it was slow " + before.unsaid() + " more times since the last warning)" : "");
			return new Warned(now, 0);
		});
	}

	private static String seconds(long nanos) {
		return Double.toString(Math.round(nanos / NANOS_PER_SECOND * 10) / 10.0);
	}

	/** The time of the last warning, and the number of slow calls since then. */
	private record Warned(long at, int unsaid) {

	}

}
