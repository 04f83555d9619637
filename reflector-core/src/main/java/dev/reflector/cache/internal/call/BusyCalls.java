package dev.reflector.cache.internal.call;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.reflector.cache.config.TimeSource;

/**
 * Reports calls of listeners that take too long: at most one report per minute and
 * subject. Checks only while listeners are being called. Thread-safe.
 *
 * @param <C> the type of the calls
 */
public final class BusyCalls<C extends BusyCalls.Call> {

	private final Duration threshold;

	private final TimeSource time;

	private final Supplier<Stream<C>> calls;

	private final BiConsumer<C, String> report;

	private final Map<String, OncePerMinute> reports = new ConcurrentHashMap<>();

	private final AtomicBoolean checking = new AtomicBoolean();

	/**
	 * Creates an instance. The first call schedules the first check.
	 * @param threshold the time that a call may take; zero for no reports
	 * @param time source of time
	 * @param calls returns the calls that are in progress
	 * @param report receives a call that takes too long, and for how many seconds it has
	 * been running
	 */
	public BusyCalls(Duration threshold, TimeSource time, Supplier<Stream<C>> calls, BiConsumer<C, String> report) {
		this.threshold = threshold;
		this.time = time;
		this.calls = calls;
		this.report = report;
	}

	/**
	 * Notes that a listener is about to be called, and schedules a check unless one is
	 * scheduled already.
	 */
	public void called() {
		if (!this.checking.get() && !this.threshold.isZero() && this.checking.compareAndSet(false, true)) {
			this.time.schedule(this.threshold, this::check);
		}
	}

	private void check() {
		this.checking.set(false);
		long now = this.time.nanoTime();
		// subjects may contain the text of an event, so there may be ever new ones
		this.reports.values().removeIf((limit) -> limit.isOver(now));
		this.calls.get().forEach((call) -> {
			called();
			if (taken(call) >= this.threshold.toNanos()
					&& OncePerMinute.of(this.reports, call.subjectOfReports()).isDue(this.time.nanoTime())) {
				this.report.accept(call, seconds(taken(call)));
			}
		});
	}

	/**
	 * Returns the call that has been running longest, empty if no call has been running
	 * for the given time.
	 * @param atLeast the given time
	 */
	public Optional<C> longest(Duration atLeast) {
		return this.calls.get()
			.filter((call) -> taken(call) >= atLeast.toNanos())
			.min((one, other) -> Long.signum(one.since() - other.since()));
	}

	/** Returns how long a call has been running, in nanoseconds. */
	long taken(C call) {
		return this.time.nanoTime() - call.since();
	}

	static String seconds(long nanos) {
		return String.format(Locale.ROOT, "%.1f", nanos / 1e9);
	}

	/** A call of a listener that has not returned. */
	public interface Call {

		/** Returns the name of the listener. */
		String listener();

		/** Returns what is reported at most once per minute. */
		default String subjectOfReports() {
			return listener();
		}

		/**
		 * Returns the start of the call, in nanoseconds of {@link TimeSource#nanoTime()}.
		 */
		long since();

	}

}
