package dev.reflector.event;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.internal.call.OncePerMinute;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of slow listeners, of each once a minute at most.
 */
final class SlowListeners {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private static final double NANOS_PER_SECOND = 1e9;

	private final String reflector;

	private final long threshold;

	private final TimeSource time;

	private final Map<String, OncePerMinute> warned = new ConcurrentHashMap<>();

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
		OncePerMinute warnings = this.warned.computeIfAbsent(listener, (name) -> new OncePerMinute());
		if (warnings.isDue(this.time.nanoTime())) {
			int omitted = warnings.omitted();
			logger.atWarn()
				.addKeyValue("reflector", this.reflector)
				.addKeyValue("listener", listener)
				.log("Reflector '{}': the listener {} took {} s for {} and delayed all later events{}", this.reflector,
						listener, seconds(nanos), subject,
						(omitted > 0) ? " (it was slow " + omitted + " more times since the last warning)" : "");
		}
	}

	private static String seconds(long nanos) {
		return Double.toString(Math.round(nanos / NANOS_PER_SECOND * 10) / 10.0);
	}

}
