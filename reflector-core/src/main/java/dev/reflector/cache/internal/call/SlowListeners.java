package dev.reflector.cache.internal.call;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.reflector.PrintableText;
import dev.reflector.ReflectorStatus;
import dev.reflector.cache.config.DeliverySettings;
import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs warnings about listeners whose current call takes too long, and about listeners
 * whose last call took too long. Logs at most one warning of each kind per minute and
 * listener. Checks only while listeners are being called. Thread-safe.
 */
public final class SlowListeners {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private final String reflector;

	private final DeliverySettings settings;

	private final TimeSource time;

	private final BusyCalls<ListenerCall.InProgress> busy;

	private final Map<String, OncePerMinute> slow = new ConcurrentHashMap<>();

	/**
	 * Creates an instance for the listeners of a reflector.
	 * @param reflector the name of the reflector
	 * @param settings contains the time that a call may take
	 * @param time source of time
	 * @param calls returns the records of all threads that deliver
	 */
	public SlowListeners(String reflector, DeliverySettings settings, TimeSource time,
			Supplier<Stream<ListenerCall>> calls) {
		this.reflector = reflector;
		this.settings = settings;
		this.time = time;
		this.busy = new BusyCalls<>(settings.slowListenerThreshold(), time,
				() -> calls.get().flatMap((call) -> Stream.ofNullable(call.inProgress())), this::warn);
	}

	/**
	 * Notes that a listener is about to be called, and schedules a check unless one is
	 * scheduled already.
	 */
	public void called() {
		this.busy.called();
	}

	private void warn(ListenerCall.InProgress call, String seconds) {
		warning(call.listener()).log(
				"Reflector '{}': the listener {} is still busy with {} after {} s; later events are delayed",
				this.reflector, call.listener(), call.subject(), seconds);
	}

	/**
	 * Notes that a listener has returned, and logs a warning if the call was slow.
	 * @param listener the name of the listener
	 * @param nanos how long the call took, in nanoseconds
	 * @param subject the argument of the call; its text is logged
	 */
	void took(String listener, long nanos, Object subject) {
		Duration threshold = this.settings.slowListenerThreshold();
		if (threshold.isZero() || nanos < threshold.toNanos()) {
			return;
		}
		OncePerMinute warnings = OncePerMinute.of(this.slow, listener);
		if (warnings.isDue(this.time.nanoTime())) {
			int omitted = warnings.omitted();
			warning(listener).log("Reflector '{}': the listener {} took {} s for {} and delayed all later events{}",
					this.reflector, listener, BusyCalls.seconds(nanos), subject,
					(omitted > 0) ? " (it was slow " + omitted + " more times since the last warning)" : "");
		}
	}

	private LoggingEventBuilder warning(String listener) {
		return logger.atWarn().addKeyValue("reflector", this.reflector).addKeyValue("listener", listener);
	}

	/**
	 * Returns the listener whose current call has been running longest, or {@code null}
	 * if no current call has reached the threshold.
	 */
	public ReflectorStatus.@Nullable BusyListener longest() {
		Duration threshold = this.settings.slowListenerThreshold();
		return threshold.isZero() ? null
				: this.busy.longest(threshold)
					.map((call) -> new ReflectorStatus.BusyListener(call.listener(), PrintableText.of(call.subject()),
							this.time.now().minusNanos(this.busy.taken(call))))
					.orElse(null);
	}

}
