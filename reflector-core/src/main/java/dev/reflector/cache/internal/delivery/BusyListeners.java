package dev.reflector.cache.internal.delivery;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.reflector.PrintableText;
import dev.reflector.ReflectorStatus;
import dev.reflector.cache.internal.call.ListenerCall;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of listeners whose calls have not returned for long, of each once a minute at
 * most. Looks at them only while some are being called.
 */
final class BusyListeners {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private static final long DISTANCE = Duration.ofMinutes(1).toNanos();

	private final DeliverySetup<?> setup;

	private final Duration threshold;

	private final Supplier<Stream<ListenerCall>> calls;

	private final Map<String, Long> warned = new ConcurrentHashMap<>();

	private final AtomicBoolean looking = new AtomicBoolean();

	/**
	 * Watches over listeners.
	 * @param setup says how long a call may take
	 * @param calls gives the calls of all threads
	 */
	BusyListeners(DeliverySetup<?> setup, Supplier<Stream<ListenerCall>> calls) {
		this.setup = setup;
		this.threshold = setup.delivery().slowListenerThreshold();
		this.calls = calls;
	}

	/** A listener is about to be called. */
	void called() {
		if (!this.looking.get() && !this.threshold.isZero() && this.looking.compareAndSet(false, true)) {
			this.setup.time().schedule(this.threshold, this::look);
		}
	}

	private void look() {
		this.looking.set(false);
		this.calls.get().map(ListenerCall::inProgress).filter(Objects::nonNull).forEach((call) -> {
			called();
			if (isBusy(call)) {
				warn(call);
			}
		});
	}

	private boolean isBusy(ListenerCall.InProgress call) {
		return !this.threshold.isZero() && taken(call) >= this.threshold.toNanos();
	}

	private long taken(ListenerCall.InProgress call) {
		return this.setup.time().nanoTime() - call.since();
	}

	private void warn(ListenerCall.InProgress call) {
		long now = this.setup.time().nanoTime();
		Long before = this.warned.get(call.listener());
		if (before != null && now - before < DISTANCE) {
			return;
		}
		this.warned.put(call.listener(), now);
		logger.atWarn()
			.addKeyValue("reflector", this.setup.name())
			.addKeyValue("listener", call.listener())
			.log("Reflector '{}': the listener {} is still busy with {} after {} s; later events are delayed",
					this.setup.name(), call.listener(), call.subject(), seconds(taken(call)));
	}

	static String seconds(long nanos) {
		return String.format(Locale.ROOT, "%.1f", nanos / 1e9);
	}

	/** The listener that has been busy for the longest time, if one is. */
	ReflectorStatus.@Nullable BusyListener longest() {
		return this.calls.get()
			.map(ListenerCall::inProgress)
			.filter((call) -> call != null && isBusy(call))
			.min((one, other) -> Long.signum(one.since() - other.since()))
			.map((call) -> new ReflectorStatus.BusyListener(call.listener(), PrintableText.of(call.subject()),
					this.setup.time().now().minusNanos(taken(call))))
			.orElse(null);
	}

}
